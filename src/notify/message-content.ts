/** Messages: a notice as senders and templates see it (spec/policies §8). */

import { formatInstant } from "../base/iso8601.ts"
import { parseTemplate } from "../template/parse.ts"
import type { Escape } from "../template/markup.ts"
import { render, renderDocument, type RenderedDocument } from "../template/render.ts"
import type { TemplateValue } from "../template/syntax.ts"
import { categoryDocument, eventDocument } from "../wire/records/event-document.ts"
import type { NotificationMessage, PayloadType } from "./notification-message.ts"

export interface MessageContent {
  /** The same for every attempt: whoever has seen it may drop the repeat. */
  readonly deliveryId: string
  /** The same for all messages of one policy about one element, so that a clearing finds them. */
  readonly incidentKey: string
  readonly payloadType: PayloadType
  readonly level: "INFO" | "WARNING" | "CRITICAL"
  /** One line. */
  readonly title: string
  /** What was found, a sentence a line; may be empty. */
  readonly text: string
  readonly time: string
  readonly color: string
  /** Where to look. */
  readonly baseUrl: string
  readonly elementName: string
  readonly policyName: string
  /** What templates speak about. */
  readonly names: Readonly<Record<string, TemplateValue>>
}

const clearColor = "#008000"
/** The sentences of a condition on a hundred metrics would fill a page that nobody reads. */
const sentencesMax = 20

export function contentOf(notice: NotificationMessage, baseUrl: string): MessageContent {
  const { event, payloadType } = notice
  const { policy, element } = event
  const isClear = payloadType === "event_cleared"
  const category = categoryDocument(event.level)
  const color = isClear ? clearColor : category["color"]!
  const elementName = element?.name ?? event.elementFqn
  const policyName = policy?.name ?? event.title ?? ""
  const time = formatInstant(notice.timeMs)
  const names = {
    deliveryId: notice.id,
    payloadType,
    policyId: policy?.id ?? null,
    policyName,
    policyDescription: policy?.description ?? null,
    elementId: event.elementId,
    elementFqn: event.elementFqn,
    elementName,
    elementType: element?.type ?? null,
    elementLocation: element?.location ?? null,
    eventCategory: category,
    // Through JSON, since that is how the event is kept and shown.
    event: JSON.parse(JSON.stringify(eventDocument(event, element))) as TemplateValue,
    eventTimestamp: formatInstant(event.timeMs),
    timestamp: time,
    color,
    baseUrl,
    images: [],
  }
  const title = `${isClear ? "CLEARED" : event.level}: ${policyName} on ${elementName}`
  return {
    deliveryId: notice.id,
    incidentKey: `tidegauge:${policy?.id ?? "event"}:${event.elementId}`,
    payloadType,
    level: event.level,
    title: title.replace(/\s+/g, " ").trim(),
    text: sentencesOf(event.data).join("\n"),
    time,
    color,
    baseUrl,
    elementName,
    policyName,
    names,
  }
}

/**
 * Throws `TemplateError` if the template cannot be read or rendered. With `escape` values are
 * printed through it.
 */
export function renderMessage(
  template: string,
  { names }: MessageContent,
  escape: Escape | null = null,
): string {
  return render(parseTemplate(template), names, escape)
}

/** Likewise a text or, if the template begins with a tag, HTML with its values escaped. */
export function renderBody(template: string, { names }: MessageContent): RenderedDocument {
  return renderDocument(parseTemplate(template), names)
}

/** What the conditions of a policy found, or the text of an external event. */
function sentencesOf(data: Readonly<Record<string, unknown>>): string[] {
  const { results, message } = data
  if (typeof results !== "string") return typeof message === "string" ? [message] : []
  let read: { conditions?: unknown } | null
  try {
    read = JSON.parse(results) as { conditions?: unknown } | null
  } catch {
    return [results]
  }
  const conditions = Array.isArray(read?.conditions) ? (read.conditions as unknown[]) : []
  return conditions
    .map((one) => (one as { expression?: unknown } | null)?.expression)
    .filter((one) => typeof one === "string")
    .slice(0, sentencesMax)
}
