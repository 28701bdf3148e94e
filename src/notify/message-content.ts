/** The content of a message as senders and templates use it (spec/policies §8). */

import { parsedJson } from "../base/json-value.ts"
import { formatInstant } from "../base/iso8601.ts"
import { uuidV3 } from "../base/uuid.ts"
import { parseTemplate } from "../template/parse.ts"
import type { Escape } from "../template/markup.ts"
import {
  render,
  renderDocument,
  renderTextOrJson,
  type RenderedDocument,
} from "../template/render.ts"
import type { TemplateValue } from "../template/syntax.ts"
import { categoryDocument, eventDocument } from "../wire/records/event-document.ts"
import type { NotificationMessage, PayloadType } from "../model/records/notification-message.ts"
import type { ElementEvent } from "../model/records/event.ts"
import type { CloseReason } from "../model/records/incident.ts"
import { bodyWithin } from "./body-within.ts"
import { incidentKeyMax } from "./senders/limits.ts"
import { shortened } from "./shortened.ts"

export interface MessageContent {
  /** The same for every attempt, so receivers can drop repeats. */
  readonly deliveryId: string
  /** The same for all messages of one policy and element, so a clearing can close the alert. */
  readonly incidentKey: string
  readonly payloadType: PayloadType
  readonly level: "INFO" | "WARNING" | "CRITICAL"
  /** One line. */
  readonly title: string
  /** Why it ended, the conditions, one sentence per line, and an external event's message; may be empty. */
  readonly text: string
  readonly time: string
  readonly color: string
  /** URL of the server, for links. */
  readonly baseUrl: string
  /** The page of the incident; the server itself for a message about none. */
  readonly incidentUrl: string
  readonly elementName: string
  readonly policyName: string
  /** The variables of templates. */
  readonly names: Readonly<Record<string, TemplateValue>>
}

const clearColor = "#008000"
/**
 * Limit of an event about thousands of metrics: a template that prints it whole stays below that of
 * rendered texts, and a webhook below the bodies that receivers usually take.
 */
const eventBytesMax = 192 * 1024
/** A condition on a hundred metrics has as many sentences; more than these are of no use. */
const sentencesMax = 20

export function contentOf(message: NotificationMessage, baseUrl: string): MessageContent {
  const { event, payloadType, closeReason } = message
  const { policy, element } = event
  const isClear = payloadType === "event_cleared"
  const category = categoryDocument(event.level)
  const color = isClear ? clearColor : category["color"]!
  const elementName = element?.name ?? event.elementFqn
  const policyName = policy?.name ?? event.title ?? ""
  const time = formatInstant(message.timeMs)
  const incidentUrl = incidentUrlOf(message, baseUrl)
  const names = {
    deliveryId: message.id,
    payloadType,
    closeReason: closeReason ?? null,
    policyId: policy?.id ?? null,
    policyName,
    policyDescription: policy?.description ?? null,
    elementId: event.elementId,
    elementFqn: event.elementFqn,
    elementName,
    elementType: element?.type ?? null,
    elementLocation: element?.location ?? null,
    eventCategory: category,
    event: eventOf(event),
    eventTimestamp: formatInstant(event.timeMs),
    timestamp: time,
    color,
    baseUrl,
    incidentUrl,
    images: [],
  }
  const cleared = closeReason === "noData" ? "CLEARED (no data)" : "CLEARED"
  const title = `${isClear ? cleared : event.level}: ${policyName} on ${elementName}`
  return {
    deliveryId: message.id,
    incidentKey: incidentKeyOf(policy?.id ?? "event", event.elementId),
    payloadType,
    level: event.level,
    title: title.replace(/\s+/g, " ").trim(),
    text: [...endLines(closeReason), ...linesOf(event)].join("\n"),
    time,
    color,
    baseUrl,
    incidentUrl,
    elementName,
    policyName,
    names,
  }
}

/**
 * The event in the form in which it is stored and shown, with the texts of the external event that
 * it is about.
 */
function eventOf(event: ElementEvent): TemplateValue {
  const document = eventDocument(event, event.element)
  const { title, message, source } = textsOf(event)
  const value = JSON.parse(JSON.stringify({ ...document, title, source, message })) as TemplateValue
  return bodyWithin(eventBytesMax, eventBytesMax, (max) => shortened(value, max))
}

/** A policy's event has the texts of an external one in its data. */
function textsOf({ title, source, data }: ElementEvent) {
  const textOf = (name: string) => (typeof data[name] === "string" ? data[name] : null)
  return {
    title: title ?? textOf("title"),
    message: textOf("message"),
    source: source ?? textOf("source"),
  }
}

/** Ids are UUIDs; longer ones of packages are replaced, so that no two keys are cut to one. */
function incidentKeyOf(policyId: string, elementId: string): string {
  const key = `tidegauge:${policyId}:${elementId}`
  return key.length <= incidentKeyMax ? key : `tidegauge:${uuidV3(keyNamespace, key)}`
}

/** A namespace of our own (RFC 4122 §4.3). */
const keyNamespace = "2f1d7a0c-5a7e-4f0a-8c53-0d9a6b1f7e21"

function incidentUrlOf({ incidentId }: NotificationMessage, baseUrl: string): string {
  return incidentId === undefined
    ? baseUrl
    : `${baseUrl.replace(/\/+$/, "")}/app/incidents/${incidentId}`
}

/**
 * Renders a template; values pass through `escape` if given. Throws `TemplateError` if the template
 * cannot be parsed or rendered.
 */
export function renderMessage(
  template: string,
  { names }: MessageContent,
  escape: Escape | null = null,
): string {
  return render(parseTemplate(template), names, escape)
}

/** Renders a template as text or, if it is JSON, as JSON with escaped values. */
export function renderContent(template: string, { names }: MessageContent): string {
  return renderTextOrJson(parseTemplate(template), names)
}

/** Renders a template as text or, if it begins with a tag, as HTML with escaped values. */
export function renderBody(template: string, { names }: MessageContent): RenderedDocument {
  return renderDocument(parseTemplate(template), names)
}

/** Why an incident ended; a recovery needs no words. */
function endLines(closeReason: CloseReason | undefined): string[] {
  if (closeReason === undefined || closeReason === "recovered") return []
  return [endSentences[closeReason]]
}

const endSentences = {
  noData: "No data arrives any more: it is unknown whether the condition still holds.",
  quiet: "No further event came.",
  ended: "The policy does not watch this any more.",
  user: "A user closed the incident.",
} as const

/** The sentences of a policy's conditions, and title and message of an external event. */
function linesOf(event: ElementEvent): string[] {
  const sentences = sentencesOf(event.data["results"])
  const { title, message } = textsOf(event)
  const isMissing = (text: string) => ![...sentences, message].some((line) => line?.includes(text))
  const titles = title !== null && isMissing(title) ? [title] : []
  return [...sentences, ...titles, ...(message === null ? [] : [message])]
}

function sentencesOf(results: unknown): string[] {
  if (typeof results !== "string") return []
  const read = parsedJson(results) as { conditions?: unknown } | null | undefined
  if (read === undefined) return [results]
  const conditions = Array.isArray(read?.conditions) ? (read.conditions as unknown[]) : []
  return conditions
    .map((one) => (one as { expression?: unknown } | null)?.expression)
    .filter((one) => typeof one === "string")
    .slice(0, sentencesMax)
}
