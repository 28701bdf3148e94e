/** The window of a series query (spec/series §1): as of other queries, and of any length. */

import { parseDuration } from "../../base/iso8601.ts"
import type { Span } from "../../model/span.ts"
import { shown, type Problems } from "../../wire/problems.ts"
import type { SeriesQueryBody } from "../../wire/series/series-query-body.ts"
import { readWindow, untilNow } from "../core/window.ts"

/** Meaningless if a problem was added. */
export function readSeriesWindow(
  { duration, startTime, endTime }: SeriesQueryBody,
  nowMs: number,
  problems: Problems,
): Span {
  const start = { field: "startTime", text: startTime }
  const end = { field: "endTime", text: endTime }
  if (duration === undefined) {
    return readWindow({ duration, start, end }, nowMs, problems)
  }
  const durationMs = parseDuration(duration)
  if (durationMs === undefined) {
    problems.add(`duration: expected an ISO 8601 duration such as PT6H, got ${shown(duration)}`)
  } else if (startTime !== undefined || endTime !== undefined) {
    problems.add("duration: expected either duration or startTime and endTime, got both")
  }
  return untilNow(nowMs, durationMs ?? 0)
}
