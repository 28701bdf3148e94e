/** Records of events and incidents as clients read them (spec/events §6). */

import { formatInstant } from "../../base/iso8601.ts"
import type { ElementEvent, EventElement } from "../../model/records/event.ts"
import { eventLevels, type EventLevel } from "../../model/records/event-level.ts"
import { flag, instant, listOf, mapOf, oneOf, orNull, record, text, textMap } from "../answer.ts"
import { anything, described, uuid, type Written } from "../answer.ts"
import { tagMap } from "../metric-document.ts"
import { nameValueRecord, policyDocument, policyRecord } from "./policy-document.ts"

export const categoryRecord = record({
  id: described(text, "1 to 3, as a text"),
  name: oneOf(eventLevels),
  color: text,
})

export const eventRecord = record({
  id: uuid,
  timestamp: instant,
  category: categoryRecord,
  data: described(mapOf(anything), "As it was posted, or what a policy found"),
  elementId: uuid,
  elementFqn: text,
  elementType: orNull(text),
  elementName: text,
  elementLocation: orNull(text),
  elementTags: textMap,
  policy: described(orNull(policyRecord), "As it was then; null for a posted event"),
  source: orNull(text),
  title: orNull(text),
  tags: listOf(nameValueRecord),
  type: orNull(text),
  isExternal: flag,
  processedTime: instant,
  eventTags: textMap,
})

const colorByLevel: Readonly<Record<EventLevel, string>> = {
  INFO: "#0000FF",
  WARNING: "#FFFF00",
  CRITICAL: "#FF0000",
}

/** The level of an event as its record shows it: the id is a text here, a number in policies. */
export function categoryDocument(level: EventLevel): Written<typeof categoryRecord> {
  const id = String(eventLevels.indexOf(level) + 1)
  return { id, name: level, color: colorByLevel[level] }
}

/** `element`: its details; null if the element is unknown. */
export function eventDocument(
  event: ElementEvent,
  element: EventElement | null,
): Written<typeof eventRecord> {
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
    elementTags: tagMap(element?.tags ?? []),
    policy: event.policy === null ? null : policyDocument(event.policy),
    source: event.source,
    title: event.title,
    tags: event.tags,
    type: event.type,
    isExternal: event.isExternal,
    processedTime: formatInstant(event.processedMs),
    eventTags: tagMap(event.tags),
  }
}
