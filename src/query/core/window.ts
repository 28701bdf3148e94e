/**
 * The window of a query (spec/statistics §1):
 *
 *   duration given            as long, until now         wins over all else, at most two weeks
 *   startTime and endTime     [startTime, endTime)       anywhere
 *   one of them               until now; startTime = endTime − 1 h
 *   none                      the last hour, until now
 *
 * Until now: the current millisecond is part of it. What a client posted without a time gets the
 * server's, and a query in the same millisecond must find what was acknowledged before it.
 */

import { epochUnitProblem } from "../../base/epoch-unit.ts"
import { isoProblem, parseDuration, parseQueryInstant } from "../../base/iso8601.ts"
import { durationMsMax, windowMsDefault } from "../../base/limits/queries.ts"
import { dayMs, hourMs } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import type { QueryParameters } from "./parameters.ts"
import type { Problems } from "../../wire/problems.ts"
import { shown } from "../../wire/problems.ts"

/** A time as it was asked for, and the field that a problem names. */
export interface TimeParameter {
  readonly field: string
  readonly text: string | undefined
}

export interface WindowParameters {
  readonly duration: string | undefined
  readonly start: TimeParameter
  readonly end: TimeParameter
}

/** The window that query parameters ask for. */
export function readWindowParameters(params: QueryParameters): WindowParameters {
  return {
    duration: params.one("duration"),
    start: { field: "startTime", text: params.one("startTime") },
    end: { field: "endTime", text: params.one("endTime") },
  }
}

/** Whether any time is named at all. */
export function hasWindow({ duration, start, end }: WindowParameters): boolean {
  return duration !== undefined || start.text !== undefined || end.text !== undefined
}

/**
 * The window of lists of what was seen: without a start it begins at midnight UTC of the day in
 * which it ends, as the service documents for a user who lives there.
 */
export function readDay(asked: WindowParameters, nowMs: number, problems: Problems): Span {
  const { duration, start, end } = asked
  if (duration !== undefined || start.text !== undefined) return readWindow(asked, nowMs, problems)
  const endMs = readInstant(end, problems) ?? afterNow(nowMs)
  return { startMs: Math.floor(endMs / dayMs) * dayMs, endMs }
}

/** The span of a window; meaningless if a problem was added. */
export function readWindow(asked: WindowParameters, nowMs: number, problems: Problems): Span {
  if (asked.duration !== undefined) return readDuration(asked.duration, nowMs, problems)
  const endMs = readInstant(asked.end, problems) ?? afterNow(nowMs)
  const startMs = readInstant(asked.start, problems) ?? endMs - windowMsDefault
  if (startMs > endMs) {
    const end = asked.end.text === undefined ? "now" : shown(asked.end.text)
    problems.add(
      `${asked.start.field}: expected it before ${asked.end.field} (${end}), ` +
        `got ${shown(asked.start.text)}`,
    )
  }
  return { startMs, endMs }
}

function readDuration(text: string, nowMs: number, problems: Problems): Span {
  const durationMs = parseDuration(text)
  if (durationMs === undefined) {
    problems.add(`duration: expected an ISO 8601 duration such as PT1H, got ${shown(text)}`)
  } else if (durationMs > durationMsMax) {
    problems.add(`duration: expected at most two weeks (P14D), got ${shown(text)}`)
  }
  return untilNow(nowMs, durationMs ?? 0)
}

/** The last `durationMs` milliseconds, the current one among them. */
export function untilNow(nowMs: number, durationMs: number): Span {
  const endMs = afterNow(nowMs)
  return { startMs: endMs - durationMs, endMs }
}

/** The end of a window until now: clocks and windows count whole milliseconds. */
function afterNow(nowMs: number): number {
  return nowMs + 1
}

/**
 * Epoch milliseconds of a time in a query; `undefined` if it is absent or cannot be taken, which
 * is then added to `problems`. Epoch seconds cannot: they would ask for 1970.
 */
export function readInstant(
  { field, text }: TimeParameter,
  problems: Problems,
): number | undefined {
  if (text === undefined) return undefined
  const ms = parseQueryInstant(text)
  const problem = epochUnitProblem(Number(text)) ?? (ms === undefined ? isoProblem(text) : null)
  if (problem === null) return ms
  problems.add(`${field}: cannot read ${shown(text)}: ${problem}`)
  return undefined
}

/** A counter's first bucket needs the last value before it, which may be unflushed, too. */
const counterLookbackMs = hourMs

/**
 * The span of unflushed samples that an answer over `span` needs: whole days, because a bucket that
 * begins in `span` may end after it, and a day is the widest bucket.
 */
export function unflushedSpan(span: Span): Span {
  return {
    startMs: Math.floor(span.startMs / dayMs) * dayMs - counterLookbackMs,
    endMs: Math.ceil(span.endMs / dayMs) * dayMs,
  }
}
