/** What a sender makes of a message: one HTTP request. */

import type { MessageContent } from "../message-content.ts"

export interface SenderRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Properties of a notification with its secrets in clear. */
export type OpenProperties = Readonly<Record<string, string>>

/** What a sender needs beside the message; `nowMs` for signatures. */
export interface SenderInput {
  readonly properties: OpenProperties
  readonly message: MessageContent
  readonly nowMs: number
}

/** Throws `invalid` or a `TemplateError` where the notification cannot be sent at all. */
export type Sender = (input: SenderInput) => SenderRequest

/** Tells a receiver that two requests are one message. */
export const deliveryHeader = "x-tidegauge-delivery"

export function jsonRequest(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): SenderRequest {
  return {
    url,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  }
}

/** The text of a property, or undefined where it is absent or blank. */
export function propertyOf(properties: OpenProperties, name: string): string | undefined {
  return properties[name]?.trim() || undefined
}

/**
 * The template of a property where it is to be used: a `payloadType` or `templateType` of
 * "default" asks for ours, whatever the property holds.
 */
export function templateOf(properties: OpenProperties, name: string): string | undefined {
  const types = [properties["payloadType"], properties["templateType"]].filter(Boolean)
  const isDefault = types.length > 0 && !types.includes("custom")
  return isDefault ? undefined : properties[name]?.trim() && properties[name]
}

/** Cut to what a service takes, with an ellipsis. */
export function truncate(text: string, charactersMax: number): string {
  const characters = [...text]
  if (characters.length <= charactersMax) return text
  return `${characters.slice(0, charactersMax - 1).join("")}…`
}
