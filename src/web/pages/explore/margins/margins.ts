/**
 * The values around the window that is shown. After a pan they are asked for once, a window and a
 * half on both sides, so that the next pans find their values while the answer is on its way: the
 * ranking and the statistics of a window are the server's, and come with each.
 */

import type { SeriesAnswer, SeriesQuery, SeriesRequest } from "../../../api/series-answer.ts"
import { isoTimes, type TimeRange } from "../../../url/time-range.ts"
import { columnsWithin, joinedColumns, type KnownColumns } from "./known-columns.ts"

export interface KnownLine extends KnownColumns {
  readonly id: string
}

export interface PannedAnswer {
  readonly request: SeriesRequest
  readonly answer: SeriesAnswer
  readonly range: TimeRange
  /** Whether the range stays when time goes on; one that moves is no pan. */
  readonly isFixed: boolean
  readonly lines: readonly KnownLine[]
}

/** Windows on either side. */
const askedWindows = 1.5
/** A pan by half a window has to find its values. */
const neededWindows = 0.5
const keptWindows = 2.5
/** Ends of ranges are rounded to milliseconds. */
const sameLengthMs = 2

export class Margins {
  private kind = ""
  private former: TimeRange | null = null
  private covered: TimeRange | null = null
  private requests: readonly SeriesRequest[] = []
  private known = new Map<string, KnownColumns>()

  /** Requests of what lies around the last pan; empty if there was none. */
  get asked(): readonly SeriesRequest[] {
    return this.requests
  }

  of(id: string): KnownColumns | undefined {
    return this.known.get(id)
  }

  /** Takes the answer of a window: after a pan that leaves what is known there are new requests. */
  take({ request, answer, range, isFixed, lines }: PannedAnswer): void {
    const kind = JSON.stringify(request.queries)
    if (kind !== this.kind) this.forget(kind)
    const { former } = this
    this.former = range
    this.add(lines)
    const isPan = isFixed && former !== null && isMoved(former, range)
    if (!isPan || (this.covered !== null && holds(this.covered, around(range, neededWindows))))
      return
    this.covered = around(range, askedWindows)
    this.requests = marginRequests(request, answer, range, this.covered)
  }

  /** Adds the values of an answer, as far as they are near the window. */
  add(lines: readonly KnownLine[]): void {
    if (this.former === null) return
    const kept = around(this.former, keptWindows)
    for (const line of lines) {
      const known = this.known.get(line.id)
      // Cut first: a join over all that lies between two distant windows has no bound.
      const near = known === undefined ? undefined : columnsWithin(known, kept)
      this.known.set(line.id, joinedColumns(near, columnsWithin(line, kept)))
    }
  }

  private forget(kind: string): void {
    this.kind = kind
    this.former = this.covered = null
    this.requests = []
    this.known = new Map()
  }
}

function around({ startMs, endMs }: TimeRange, windows: number): TimeRange {
  const byMs = (endMs - startMs) * windows
  return { startMs: startMs - byMs, endMs: endMs + byMs }
}

function holds(outer: TimeRange, inner: TimeRange): boolean {
  return outer.startMs <= inner.startMs && outer.endMs >= inner.endMs
}

function isMoved(from: TimeRange, to: TimeRange): boolean {
  const lengthMs = ({ startMs, endMs }: TimeRange) => endMs - startMs
  return from.startMs !== to.startMs && Math.abs(lengthMs(from) - lengthMs(to)) <= sameLengthMs
}

/** One request for each side; none for what lies in the future. */
function marginRequests(
  request: SeriesRequest,
  answer: SeriesAnswer,
  range: TimeRange,
  covered: TimeRange,
): readonly SeriesRequest[] {
  const queries = request.queries.flatMap((query) => marginQuery(query, answer))
  if (queries.length === 0) return []
  const rollups = new Set(
    answer.queries.flatMap((one) => (one.status === "ok" ? [one.rollup] : [])),
  )
  const [rollup] = rollups
  const side = (startMs: number, endMs: number): SeriesRequest => ({
    ...isoTimes({ startMs, endMs }),
    width: Math.round(request.width * askedWindows),
    ...(rollups.size === 1 && rollup !== undefined && { rollup }),
    queries,
  })
  const before = side(covered.startMs, range.startMs)
  return range.endMs < answer.serverTime ? [before, side(range.endMs, covered.endMs)] : [before]
}

/** The same series, by name: others may rank higher around the window. Groups are made again. */
function marginQuery(query: SeriesQuery, answer: SeriesAnswer): SeriesQuery[] {
  const result = answer.queries.find(({ id }) => id === query.id)
  const isLines = query.fields.includes("actual")
  if (!isLines || result?.status !== "ok" || result.series.length === 0) return []
  const { id, by, aggregation, order, limit, shift } = query
  const common = { id, fields: ["actual"] as const, by, aggregation, order }
  const moved = shift === undefined ? {} : { shift }
  if (by !== "series") return [{ ...common, ...moved, filter: query.filter!, limit }]
  const series = result.series.map(({ elementId, metricId }) => ({ elementId, metricId }))
  return [{ ...common, ...moved, series, limit: series.length }]
}
