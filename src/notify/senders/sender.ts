/** A sender converts the content of a message to one HTTP request of a service. */

import type { MessageContent } from "../message-content.ts"

export interface SenderRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Properties of a notification with its secrets in plaintext. */
export type OpenProperties = Readonly<Record<string, string>>

/** The input of a sender; `nowMs` is for signatures. */
export interface SenderInput {
  readonly properties: OpenProperties
  readonly message: MessageContent
  readonly nowMs: number
}

/**
 * Throws `invalid` if the notification lacks what a request needs, a `TemplateError` if none can be
 * built for this message.
 */
export type Sender = (input: SenderInput) => SenderRequest

/** Header by which receivers recognize repeats of a message. */
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

/** The text of a property, or undefined if it is absent or blank. */
export function propertyOf(properties: OpenProperties, name: string): string | undefined {
  return properties[name]?.trim() || undefined
}

/**
 * The template of a property, or undefined for the default one: a `payloadType` or `templateType`
 * of "default" selects that, whatever the property's value is.
 */
export function templateOf(properties: OpenProperties, name: string): string | undefined {
  const types = [properties["payloadType"], properties["templateType"]].filter(Boolean)
  const isDefault = types.length > 0 && !types.includes("custom")
  return isDefault ? undefined : properties[name]?.trim() && properties[name]
}
