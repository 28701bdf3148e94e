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
  /** Part of title, message, policy or element (its name or FQN), ignoring case. */
  readonly text: string | null
}

/** How the events that match are listed. */
export interface EventPage {
  readonly isNewestFirst: boolean
  /** At most this many; null: more than `eventsPerAnswerMax` are an error. */
  readonly limit: number | null
  /** Those before this time and id only. */
  readonly before: { readonly timeMs: number; readonly id: string } | null
  /** Whether all that match are counted. */
  readonly needsTotal: boolean
}

export const wholePage: EventPage = {
  isNewestFirst: false,
  limit: null,
  before: null,
  needsTotal: false,
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
    text: null,
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
    hasAnyTag(filter.elementTags, element?.tags ?? []) &&
    (filter.text === null || hasText(event, element, filter.text.toLowerCase()))
  )
}

/** Whether `matchesElement` needs the element of an event. */
export function asksForElement(filter: EventFilter): boolean {
  const lists = [filter.elementNames, filter.elementTypes, filter.elementTags]
  return filter.text !== null || lists.some(({ length }) => length > 0)
}

function hasText(event: ElementEvent, element: EventElement | null, part: string): boolean {
  const { title, data, policy, elementFqn } = event
  const texts = [title, data["message"], policy?.name, elementFqn, element?.name]
  return texts.some((text) => typeof text === "string" && text.toLowerCase().includes(part))
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
