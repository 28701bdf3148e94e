/** Parameters of queries for events and incidents (spec/events §5). */

import { isScalar } from "../../base/json-value.ts"
import { textCharactersMax } from "../../base/limits.ts"
import { eventsPerAnswerMax } from "../../base/limits/queries.ts"
import type { NameValue } from "../../model/element.ts"
import { eventLevels, parseEventLevel, type EventLevel } from "../../model/records/event-level.ts"
import type { Span } from "../../model/span.ts"
import {
  readWindowParameters,
  QueryParameters,
  parseJson,
  readInstant,
  readWindow,
} from "../../query/query.ts"
import type { EventFilter } from "../../records/incidents/event-filter.ts"
import type { IncidentFilter } from "../../records/incidents/incidents.ts"
import { Problems, shown } from "../../wire/problems.ts"
import { windowParameters } from "./query-handler.ts"
import {
  flagValue,
  wordValue,
  wholeValue,
  jsonValue,
  timeValue,
  queryParameter,
  repeatedParameter,
} from "../shared/parameters.ts"
import type { Call, Parameter, ValueSchema } from "../shared/route.ts"

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
]

/** Reads the filter of a call. Throws `invalid` with all problems. */
export function readEventFilter(call: Call): EventFilter {
  const problems = new Problems()
  const params = new QueryParameters(call.query, problems)
  const span = readWindow(readWindowParameters(params), call.nowMs, problems)
  const filter: EventFilter = {
    span,
    levels: readLevels(params.many("category"), problems),
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
    isExternal: readFlag(params, "isExternal"),
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

/** Incidents in a response without `limit`. */
const incidentsDefault = 100
const offsetMax = 1_000_000_000

export const incidentParameters: readonly Parameter[] = [
  queryParameter("policyId", "Id of a policy"),
  queryParameter("elementId", "Id or FQN of an element", { example: "web-1" }),
  queryParameter("elementName", "Part of an element's name, in either case", { example: "web" }),
  queryParameter("startDate", "Those that fired since then", {
    value: timeValue,
    example: "2026-11-01",
  }),
  queryParameter("endDate", "Those that first fired before then", {
    value: timeValue,
    example: "2026-11-02",
  }),
  withExample("isClosed", flagValue(), "true: closed ones only; false: open ones only"),
  withExample("limit", wholeValue(0, eventsPerAnswerMax, incidentsDefault), "At most as many"),
  withExample("offset", wholeValue(0, offsetMax, 0), "As many are skipped"),
]

/** Reads the filter of a call. Throws `invalid` with all problems. */
export function readIncidentFilter(call: Call): IncidentFilter {
  const problems = new Problems()
  const params = new QueryParameters(call.query, problems)
  const filter: IncidentFilter = {
    policyId: params.one("policyId") ?? null,
    element: params.one("elementId") ?? null,
    elementName: params.one("elementName") ?? null,
    startMs: readTime(params, { name: "startDate", problems }),
    endMs: readTime(params, { name: "endDate", problems }),
    isClosed: readFlag(params, "isClosed"),
    limit:
      readCount(params, { name: "limit", max: eventsPerAnswerMax, problems }) ?? incidentsDefault,
    offset: readCount(params, { name: "offset", max: offsetMax, problems }) ?? 0,
  }
  problems.throwIfAny()
  return filter
}

interface Reading {
  readonly name: string
  readonly problems: Problems
}

function readTime(params: QueryParameters, { name, problems }: Reading): number | null {
  return readInstant({ field: name, text: params.one(name) }, problems) ?? null
}

function readCount(
  params: QueryParameters,
  { name, problems, max }: Reading & { readonly max: number },
): number | undefined {
  const text = params.one(name)
  if (text === undefined) return undefined
  const count = /^\d{1,10}$/.test(text) ? Number(text) : Infinity
  if (count > max) problems.add(`${name}: expected a whole number, 0 to ${max}, got ${shown(text)}`)
  return count
}

function readFlag(params: QueryParameters, name: string): boolean | null {
  return params.one(name) === undefined ? null : params.flag(name)
}

function readLevels(texts: readonly string[], problems: Problems): EventLevel[] {
  return texts.flatMap((text) => {
    const level = parseEventLevel(text)
    if (level !== undefined) return [level]
    problems.add(`category: expected one of ${eventLevels.join(", ")}, got ${shown(text)}`)
    return []
  })
}

/** Each repetition is one value, commas included, or a JSON array of values. */
function wholeTexts(params: QueryParameters, name: string): string[] {
  return params.texts(name).flatMap((text) => {
    const list = text.startsWith("[") ? parseJson(text) : undefined
    return Array.isArray(list) && list.every(isScalar) ? list.map(String) : [text]
  })
}

/** `[{name, value}]`, or an object of names with a value or an array of values. */
function readTags(params: QueryParameters, { name, problems }: Reading): NameValue[] {
  return params.texts(name).flatMap((text) => {
    const tags = tagsIn(text.length > textCharactersMax ? undefined : parseJson(text))
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
function withExample(name: string, value: ValueSchema, description: string): Parameter {
  return queryParameter(name, description, { value, example: String(value["default"] ?? false) })
}
