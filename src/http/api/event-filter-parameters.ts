/** Parameters of queries for events and incidents (spec/events §5). */

import { isScalar, parsedJson } from "../../base/json-value.ts"
import { fqnCharactersMax, textCharactersMax } from "../../base/limits.ts"
import { eventsPerAnswerMax } from "../../base/limits/queries.ts"
import type { NameValue } from "../../model/element.ts"
import { eventLevels, parseEventLevel, type EventLevel } from "../../model/records/event-level.ts"
import type { Span } from "../../model/span.ts"
import {
  readWindowParameters,
  QueryParameters,
  readInstant,
  readWindow,
} from "../../query/query.ts"
import type { EventFilter, EventPage } from "../../records/incidents/event-filter.ts"
import { Problems, shown } from "../../wire/problems.ts"
import { windowParameters } from "./query-handler.ts"
import {
  flagValue,
  wordValue,
  jsonValue,
  wholeValue,
  queryParameter,
  repeatedParameter,
} from "../shared/parameters.ts"
import type { Call, Parameter, ValueSchema } from "../shared/route.ts"

const orders = ["asc", "desc"]
export const orderParameter = withExample(
  "order",
  wordValue(orders, "asc"),
  "asc: the oldest first; desc: the newest first",
)
export const totalParameter = withExample(
  "total",
  flagValue(),
  "true: `total` counts all that match, of the 100,000 that are looked at",
)

const tagsExample = '[{"name":"a","value":"b"}]'

export const eventParameters: readonly Parameter[] = [
  ...windowParameters,
  repeatedParameter("category", "Levels", { value: wordValue(eventLevels), example: "WARNING" }),
  repeatedParameter("elementId", "Ids or FQNs of elements", { example: "web-1" }),
  repeatedParameter("elementName", "Display names of elements, in full", { example: "web-1" }),
  repeatedParameter("elementType", "Types of elements", { example: "SERVER" }),
  queryParameter("elementTags", "JSON array of tags, any of which the element has", {
    value: jsonValue,
    example: tagsExample,
  }),
  queryParameter("tags", "The same as `elementTags` under its other name", { value: jsonValue }),
  queryParameter("eventTags", "JSON array of tags, any of which the event has", {
    value: jsonValue,
    example: tagsExample,
  }),
  repeatedParameter("policy", "Ids of policies"),
  withExample("isExternal", flagValue(), "true: posted events only; false: those of policies only"),
  repeatedParameter("title", "Titles, in full"),
  repeatedParameter("type", "Types, such as INFO or WEBHOOK", { example: "INFO" }),
  queryParameter("q", "Part of title, message, policy or element, in either case", {
    example: "deploy",
  }),
]

export const eventListParameters: readonly Parameter[] = [
  ...eventParameters,
  orderParameter,
  queryParameter(
    "limit",
    `At most as many; without it more than ${eventsPerAnswerMax} are an error`,
    { value: wholeValue(1, eventsPerAnswerMax), example: "100" },
  ),
  queryParameter("before", "With order=desc: `next` of the answer before, a time and an id"),
  totalParameter,
]

/** Reads how events are listed. Throws `invalid` with all problems. */
export function readEventPage(call: Call): EventPage {
  const problems = new Problems()
  const params = new QueryParameters(call.query, problems)
  const isNewestFirst = readOrder(params, problems)
  const max = eventsPerAnswerMax
  const limit = readCount(params, { name: "limit", max, problems }) ?? null
  if (limit === 0) problems.add(`limit: expected a whole number, 1 to ${max}, got "0"`)
  // A cursor has a comma, which separates values elsewhere.
  const before = readCursor(call.query["before"]?.[0], problems)
  if (before !== null && !isNewestFirst) problems.add("before: expected order=desc with it")
  const needsTotal = params.flag("total")
  problems.throwIfAny()
  return { isNewestFirst, limit, before, needsTotal }
}

function readCursor(text: string | undefined, problems: Problems): EventPage["before"] {
  if (text === undefined || text === "") return null
  const [, time, id] = /^(\d{1,15}),([0-9a-fA-F-]{36})$/.exec(text) ?? []
  if (time !== undefined && id !== undefined) return { timeMs: Number(time), id: id.toLowerCase() }
  problems.add(`before: expected a time and an id, as in \`next\`, got ${shown(text)}`)
  return null
}

/** The cursor that follows an event. */
export function cursorAfter({ timeMs, id }: { readonly timeMs: number; readonly id: string }) {
  return `${timeMs},${id}`
}

/** Reads the filter of a call. Throws `invalid` with all problems. */
export function readEventFilter(call: Call): EventFilter {
  const problems = new Problems()
  const params = new QueryParameters(call.query, problems)
  const span = readWindow(readWindowParameters(params), call.nowMs, problems)
  const filter: EventFilter = {
    span,
    levels: readLevels(params, { name: "category", problems }),
    elements: params.many("elementId"),
    elementNames: wholeTexts(params, "elementName"),
    elementTypes: wholeTexts(params, "elementType"),
    elementTags: [
      ...readTags(params, { name: "elementTags", problems }),
      ...readTags(params, { name: "tags", problems }),
    ],
    eventTags: readTags(params, { name: "eventTags", problems }),
    policies: params.many("policy"),
    titles: wholeTexts(params, "title"),
    types: params.many("type").map((type) => type.toUpperCase()),
    isExternal: readTruth(params, "isExternal"),
    text: readPart(params, problems),
  }
  problems.throwIfAny()
  return filter
}

/** Reads the window of a call. Throws `invalid` with all problems. */
export function readSpan(call: Call): Span {
  const problems = new Problems()
  const span = readWindow(
    readWindowParameters(new QueryParameters(call.query, problems)),
    call.nowMs,
    problems,
  )
  problems.throwIfAny()
  return span
}

interface Reading {
  readonly name: string
  readonly problems: Problems
}

export function readMoment(params: QueryParameters, { name, problems }: Reading): number | null {
  return readInstant({ field: name, text: params.one(name) }, problems) ?? null
}

export function readCount(
  params: QueryParameters,
  { name, problems, max }: Reading & { readonly max: number },
): number | undefined {
  const text = params.one(name)
  if (text === undefined) return undefined
  const count = /^\d{1,10}$/.test(text) ? Number(text) : Infinity
  if (count > max) problems.add(`${name}: expected a whole number, 0 to ${max}, got ${shown(text)}`)
  return count
}

export function readTruth(params: QueryParameters, name: string): boolean | null {
  return params.one(name) === undefined ? null : params.flag(name)
}

/** The levels of a parameter, which may be repeated. */
export function readLevels(params: QueryParameters, { name, problems }: Reading): EventLevel[] {
  return params.many(name).flatMap((text) => {
    const level = parseEventLevel(text)
    if (level !== undefined) return [level]
    problems.add(`${name}: expected one of ${eventLevels.join(", ")}, got ${shown(text)}`)
    return []
  })
}

/** "asc" or "desc": whether the newest come first. */
export function readOrder(params: QueryParameters, problems: Problems): boolean {
  const text = params.one("order")?.toLowerCase() ?? "asc"
  if (!orders.includes(text)) problems.add(`order: expected asc or desc, got ${shown(text)}`)
  return text === "desc"
}

/** Part of a text, in either case. */
export function readPart(params: QueryParameters, problems: Problems): string | null {
  const text = params.one("q")
  if (text === undefined) return null
  if (text.length <= fqnCharactersMax) return text
  problems.add(`q: expected at most ${fqnCharactersMax} characters, got ${text.length}`)
  return null
}
/** Each repetition is one value, commas included, or a JSON array of values. */
function wholeTexts(params: QueryParameters, name: string): string[] {
  return params.texts(name).flatMap((text) => {
    const list = text.startsWith("[") ? parsedJson(text) : undefined
    return Array.isArray(list) && list.every(isScalar) ? list.map(String) : [text]
  })
}

/** `[{name, value}]`, or an object of names with a value or an array of values. */
function readTags(params: QueryParameters, { name, problems }: Reading): NameValue[] {
  return params.texts(name).flatMap((text) => {
    const tags = tagsIn(text.length > textCharactersMax ? undefined : parsedJson(text))
    if (tags !== undefined) return tags
    problems.add(`${name}: expected JSON such as [{"name":"a","value":"b"}], got ${shown(text)}`)
    return []
  })
}

function tagsIn(json: unknown): NameValue[] | undefined {
  if (typeof json !== "object" || json === null) return undefined
  const pairs = Array.isArray(json)
    ? json.map((entry: unknown) => {
        const { name, value } = (entry ?? {}) as { name?: unknown; value?: unknown }
        return [name, value ?? ""] as const
      })
    : Object.entries(json).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((one: unknown) => [name, one ?? ""] as const),
      )
  if (!pairs.every(([name, value]) => isScalar(name) && isScalar(value))) return undefined
  return pairs.map(([name, value]) => ({ name: String(name), value: String(value) }))
}

/** A parameter whose example is its default; false for a flag without one. */
export function withExample(name: string, value: ValueSchema, description: string): Parameter {
  return queryParameter(name, description, { value, example: String(value["default"] ?? false) })
}
