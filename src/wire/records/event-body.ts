/** Reads posted events (spec/events §1), lenient with form (spec/ingest §1). */

import * as v from "valibot"
import { isObject } from "../../base/json-value.ts"
import { isoProblem, parseInstant } from "../../base/iso8601.ts"
import { fqnCharactersMax, tagsPerEntityMax } from "../../base/limits.ts"
import type { NameValue } from "../../model/element.ts"
import { levelOf } from "../../model/records/event-level.ts"
import type { PostedEvent, PostedEvents } from "../../model/records/posted-event.ts"
import { cleanFqn } from "../../model/fqn.ts"
import { annotationTitleMax, noteCharactersMax } from "../../base/limits/records.ts"
import { objectValue, readWith, textValue } from "../body.ts"
import { Problems, shown } from "../problems.ts"
import { readRecord, shortText } from "./fields.ts"

/** The options of a post of events, and its arrival. */
export interface EventMoment {
  readonly nowMs: number
  /** Instants that are accepted, both ends included. */
  readonly oldestMs: number
  readonly newestMs: number
  /** INJECT_TIMESTAMP: the server's time replaces every timestamp. */
  readonly injectTimestamp: boolean
}

const neededText = v.pipe(shortText, v.minLength(1, "a text that is not empty"))

const tagEntry = v.pipe(
  objectValue({ name: neededText, value: v.nullish(shortText, "") }),
  v.transform(({ name, value }): NameValue => ({ name, value })),
)

/** `[{name, value}]`, or leniently `{name: value}`. */
const tagsValue = v.pipe(
  v.union(
    [
      v.array(tagEntry),
      v.pipe(
        v.record(v.string(), v.nullish(shortText, "")),
        v.transform((map) => Object.entries(map).map(([name, value]) => ({ name, value }))),
      ),
    ],
    "an array of tags with name and value",
  ),
  v.check((tags) => tags.length <= tagsPerEntityMax, `at most ${tagsPerEntityMax} tags`),
)

const timestampValue = v.union(
  [v.number(), v.string()],
  "epoch milliseconds or ISO 8601 with Z or ±hh:mm",
)

const dataValue = v.pipe(
  v.custom<Record<string, unknown>>(isObject, "an object"),
  v.looseObject({ elementId: v.nullish(textValue), level: v.nullish(shortText) }),
)

/** One external event as it is posted. */
const eventBody = objectValue({
  type: neededText,
  title: neededText,
  data: v.nullish(dataValue),
  source: v.nullish(shortText),
  tags: v.nullish(tagsValue, []),
  timestamp: v.nullish(timestampValue),
})

/** The body of a post of events. */
export const eventsBody = v.array(eventBody, "an array of events")

/**
 * The events of a body. Throws `invalid` with all problems; then none of the events is accepted.
 */
export function readEvents(body: unknown, moment: EventMoment): PostedEvents {
  const problems = new Problems()
  const read = readWith(eventsBody, body, { path: "", problems }) ?? []
  const events = read.flatMap((event, index) =>
    postedEvent(event, { moment, problems, path: `[${index}]` }),
  )
  problems.throwIfAny()
  return { received: read.length, events }
}

interface Reading {
  readonly moment: EventMoment
  readonly problems: Problems
  readonly path: string
}

/** None if the event names no element. */
function postedEvent(event: v.InferOutput<typeof eventBody>, reading: Reading): PostedEvent[] {
  const { type, title, data, source, tags, timestamp } = event
  const isTimed = isGiven(timestamp) && !reading.moment.injectTimestamp
  const timeMs = isTimed ? instantOf(timestamp, reading) : reading.moment.nowMs
  const elementFqn = cleanFqn(data?.elementId ?? "")
  if (elementFqn.length > fqnCharactersMax) {
    reading.problems.add(
      `${reading.path}.data.elementId: expected at most ${fqnCharactersMax} characters, ` +
        `got ${elementFqn.length}`,
    )
  }
  if (elementFqn === "" || data === null || data === undefined) return []
  const level = levelOf(data.level ?? null, type)
  const from = source || null
  return [{ timeMs, isTimed, elementFqn, level, type, title, source: from, data, tags }]
}

type Timestamp = number | string

function isGiven(timestamp: Timestamp | null | undefined): timestamp is Timestamp {
  return timestamp !== null && timestamp !== undefined && timestamp !== ""
}

/** Epoch milliseconds; meaningless if a problem was added. */
function instantOf(
  timestamp: Timestamp,
  { moment, problems, path }: Reading,
  field = "timestamp",
): number {
  const ms = typeof timestamp === "number" ? Math.floor(timestamp) : textInstant(timestamp)
  if (ms === undefined) {
    const why = isoProblem(String(timestamp))
    problems.add(`${path}.${field}: cannot read ${shown(timestamp)}: ${why}`)
    return moment.nowMs
  }
  if (ms < moment.oldestMs || ms > moment.newestMs) {
    problems.add(`${path}.${field}: ${outside(ms, { timestamp, moment })}`)
  }
  return ms
}

const numericText = /^\s*\d{1,16}(?:\.\d*)?\s*$/

function textInstant(text: string): number | undefined {
  return numericText.test(text) ? Math.floor(Number(text)) : parseInstant(text)
}

function outside(
  ms: number,
  { timestamp, moment }: { timestamp: Timestamp; moment: EventMoment },
): string {
  const { oldestMs, newestMs } = moment
  const period = `${new Date(oldestMs).toISOString()} to ${new Date(newestMs).toISOString()}`
  const inSeconds = ms * 1000 >= oldestMs && ms * 1000 <= newestMs
  const hint = inSeconds ? "; it seems to be in epoch seconds: multiply it by 1000" : ""
  return `expected an instant in the accepted period ${period}, got ${shown(timestamp)}${hint}`
}

/** An annotation of a user: about an element, or about everything. */
export const annotationBody = objectValue({
  title: v.pipe(
    shortText,
    v.trim(),
    v.minLength(1, "a text that is not empty"),
    v.maxLength(annotationTitleMax, `a text of at most ${annotationTitleMax} characters`),
  ),
  message: v.nullish(
    v.pipe(
      v.string(),
      v.maxLength(noteCharactersMax, `a text of at most ${noteCharactersMax} characters`),
    ),
  ),
  elementId: v.nullish(shortText),
  timestamp: v.nullish(timestampValue),
  endTime: v.nullish(timestampValue),
  tags: v.nullish(tagsValue, []),
})

export interface PostedAnnotation {
  readonly timeMs: number
  readonly endMs: number | null
  readonly title: string
  readonly message: string | null
  /** As sent, an id or an FQN; null: about everything. */
  readonly elementId: string | null
  readonly tags: readonly NameValue[]
}

/** Throws `invalid` with all problems. */
export function readAnnotation(
  raw: unknown,
  accepted: Omit<EventMoment, "injectTimestamp">,
): PostedAnnotation {
  const { title, message, elementId, timestamp, endTime, tags } = readRecord(annotationBody, raw)
  const problems = new Problems()
  const moment = { ...accepted, injectTimestamp: false }
  const reading = { moment, problems, path: "body" }
  const timeMs = isGiven(timestamp) ? instantOf(timestamp, reading) : moment.nowMs
  const endMs = isGiven(endTime) ? instantOf(endTime, reading, "endTime") : null
  if (endMs !== null && endMs < timeMs) {
    problems.add(`body.endTime: expected an instant after timestamp, got ${shown(endTime)}`)
  }
  problems.throwIfAny()
  const named = elementId?.trim() || null
  return { timeMs, endMs, title, message: message || null, elementId: named, tags }
}
