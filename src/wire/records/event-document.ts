/** Records of events and incidents as clients read them (field-facts §5). */

import { formatInstant } from "../../base/iso8601.ts"
import type { NameValue } from "../../model/element.ts"
import type { ElementEvent, EventElement } from "../../model/event.ts"
import { eventLevels, type EventLevel } from "../../model/event-level.ts"
import { policyDocument } from "./policy-document.ts"

const colorByLevel: Readonly<Record<EventLevel, string>> = {
  INFO: "#0000FF",
  WARNING: "#FFFF00",
  CRITICAL: "#FF0000",
}

/** The level of an event as its record shows it: the id is a text here, a number in policies. */
export function categoryDocument(level: EventLevel): Record<string, string> {
  const id = String(eventLevels.indexOf(level) + 1)
  return { id, name: level, color: colorByLevel[level] }
}

/** `element`: what is known of it; null where nothing is. */
export function eventDocument(
  event: ElementEvent,
  element: EventElement | null,
): Record<string, unknown> {
  return {
    id: event.id,
    timestamp: formatInstant(event.timeMs),
    category: categoryDocument(event.level),
    data: event.data,
    elementId: event.elementId,
    elementFqn: event.elementFqn,
    elementType: element?.type ?? null,
    elementName: element?.name ?? event.elementFqn,
    elementLocation: element?.location ?? null,
    elementTags: mapOf(element?.tags ?? []),
    policy: event.policy === null ? null : policyDocument(event.policy),
    source: event.source,
    title: event.title,
    tags: event.tags,
    type: event.type,
    isExternal: event.isExternal,
    processedTime: formatInstant(event.processedMs),
    eventTags: mapOf(event.tags),
  }
}

function mapOf(tags: readonly NameValue[]): Record<string, string> {
  return Object.fromEntries(tags.map(({ name, value }) => [name, value]))
}
