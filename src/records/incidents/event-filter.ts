/** The filter of an event query: an event must match every field, and any value of a list. */

import type { NameValue } from "../../model/element.ts"
import type { ElementEvent, EventElement } from "../../model/records/event.ts"
import type { EventLevel } from "../../model/records/event-level.ts"
import type { Span } from "../../model/span.ts"

/** Empty lists and null match all events. */
export interface EventFilter {
  readonly span: Span
  readonly levels: readonly EventLevel[]
  /** Ids or FQNs. */
  readonly elements: readonly string[]
  readonly elementNames: readonly string[]
  readonly elementTypes: readonly string[]
  readonly elementTags: readonly NameValue[]
  readonly eventTags: readonly NameValue[]
  readonly policies: readonly string[]
  readonly titles: readonly string[]
  /** In upper case. */
  readonly types: readonly string[]
  readonly isExternal: boolean | null
}

/** Matches all events of a window. */
export function wholeWindow(span: Span): EventFilter {
  return {
    span,
    levels: [],
    elements: [],
    elementNames: [],
    elementTypes: [],
    elementTags: [],
    eventTags: [],
    policies: [],
    titles: [],
    types: [],
    isExternal: null,
  }
}

/** Tests the fields that the event itself has. */
export function matchesEvent(event: ElementEvent, filter: EventFilter): boolean {
  return (
    matchesAny(filter.levels, event.level) &&
    (matchesAny(filter.elements, event.elementId) ||
      matchesAny(filter.elements, event.elementFqn)) &&
    matchesAny(filter.policies, event.policy?.id ?? null) &&
    matchesAny(filter.titles, event.title) &&
    matchesAny(filter.types, event.type?.toUpperCase() ?? null) &&
    hasAnyTag(filter.eventTags, event.tags) &&
    (filter.isExternal === null || filter.isExternal === event.isExternal)
  )
}

/** Tests the fields of the event's element. An unknown element has its FQN as name, no more. */
export function matchesElement(
  event: ElementEvent,
  element: EventElement | null,
  filter: EventFilter,
): boolean {
  return (
    matchesAny(filter.elementNames, element?.name ?? event.elementFqn) &&
    matchesAny(filter.elementTypes, element?.type ?? null) &&
    hasAnyTag(filter.elementTags, element?.tags ?? [])
  )
}

function matchesAny<Value>(asked: readonly Value[], value: Value | null): boolean {
  return asked.length === 0 || (value !== null && asked.includes(value))
}

function hasAnyTag(asked: readonly NameValue[], tags: readonly NameValue[]): boolean {
  if (asked.length === 0) return true
  return asked.some(({ name, value }) =>
    tags.some((tag) => tag.name === name && tag.value === value),
  )
}
