/** Which events a question asks for: those that pass every part; a part of several takes any. */

import type { NameValue } from "../../model/element.ts"
import type { ElementEvent, EventElement } from "../../model/records/event.ts"
import type { EventLevel } from "../../model/records/event-level.ts"
import type { Span } from "../../model/span.ts"

/** An empty list asks for nothing; null asks for either. */
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

/** Everything of a window. */
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

/** What the event itself tells. */
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

/** What its element tells; one that is not known has its FQN for a name, and nothing else. */
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
