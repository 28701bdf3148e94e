/** Laws of the values around a window: what is asked for after a pan, and how answers join. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import * as v from "valibot"
import { seriesAnswer, type SeriesRequest } from "../../src/web/api/series-answer.ts"
import {
  columnsWithin,
  joinedColumns,
  type KnownColumns,
} from "../../src/web/pages/explore/margins/known-columns.ts"
import { Margins } from "../../src/web/pages/explore/margins/margins.ts"
import { emptyQuery } from "../../src/web/pages/explore/query-codec.ts"
import { seriesRequest } from "../../src/web/pages/explore/series-request.ts"
import type { TimeRange } from "../../src/web/url/time-range.ts"
import { seriesAnswerOf, type AskedSeries } from "../support/browser/series-answers.ts"

const hourMs = 3_600_000
const startMs = Date.UTC(2026, 10, 20)
const window = (shiftHours: number, hours = 2): TimeRange => {
  return { startMs: startMs + shiftHours * hourMs, endMs: startMs + (shiftHours + hours) * hourMs }
}

function requestOf(range: TimeRange, by = "series"): SeriesRequest {
  const query = { ...emptyQuery, metric: "cpu.total", by, limit: 3 }
  const look = { hasBands: false, percentiles: "none" } as const
  return seriesRequest({ queries: [query], terms: [], range, width: 200, ...look })!
}

const names = ["web-1", "web-2", "web-3", "web-4"]

function answerOf(request: SeriesRequest) {
  const asked = request as unknown as AskedSeries
  const made = seriesAnswerOf(asked, { names, unit: "", valueOf: (series, ms) => series + ms })
  return v.parse(seriesAnswer, { ...made, serverTime: startMs + 1000 * hourMs })
}

/** Takes a window, and returns what is asked for then. */
function take(margins: Margins, range: TimeRange, more: { by?: string; isFixed?: boolean } = {}) {
  const { by = "series", isFixed = true } = more
  const request = requestOf(range, by)
  const answer = answerOf(request)
  const lines = answer.queries.flatMap((one) =>
    one.status === "ok"
      ? one.series.map(({ elementId, values }) => {
          return { id: elementId, columns: one.columns, values: values.actual ?? [] }
        })
      : [],
  )
  margins.take({ request, answer, range, isFixed, lines })
  return margins.asked
}

const ends = (requests: readonly SeriesRequest[]) =>
  requests.map((one) => [Date.parse(one.startTime), Date.parse(one.endTime)])

test("a pan asks for a window and a half on both sides, of the same series, once", () => {
  const margins = new Margins()
  assert.deepEqual(take(margins, window(0)), [])
  const asked = take(margins, window(1))
  assert.deepEqual(ends(asked), [
    [window(-2).startMs, window(1).startMs],
    [window(1).endMs, window(1).endMs + 3 * hourMs],
  ])
  const [query] = asked[0]!.queries
  assert.deepEqual(
    query!.series?.map(({ elementId }) => elementId),
    ["id-web-1", "id-web-2", "id-web-3"],
  )
  assert.deepEqual([query!.filter, query!.fields, asked[0]!.width], [undefined, ["actual"], 300])
  // Half a window of values is left on either side: nothing new.
  assert.equal(take(margins, window(2)), asked)
  assert.equal(take(margins, window(-1)), asked)
  assert.notEqual(take(margins, window(4)), asked)
})

test("another length, other queries, and a range that moves with time are no pan", () => {
  const margins = new Margins()
  take(margins, window(0))
  assert.deepEqual(take(margins, window(0, 1)), [])
  assert.deepEqual(take(margins, window(5, 2)), [])
  assert.equal(take(margins, window(6, 2)).length, 2)
  assert.deepEqual(take(margins, window(7), { by: "type" }), [])
  const moving = new Margins()
  take(moving, window(0), { isFixed: false })
  assert.deepEqual(take(moving, window(1), { isFixed: false }), [])
})

test("groups are asked for by their filter, and the future is not asked for", () => {
  const margins = new Margins()
  take(margins, window(0), { by: "type" })
  const [before] = take(margins, window(1), { by: "type" })
  assert.ok(before!.queries[0]!.filter !== undefined && before!.queries[0]!.series === undefined)
  const late = new Margins()
  take(late, window(998))
  assert.equal(take(late, window(999)).length, 1)
})

const columnsOf = (start: number, values: readonly (number | null)[], step = 10): KnownColumns => {
  return { columns: { start, step, count: values.length }, values }
}

test("answers join over the union of their columns, and the later one wins", () => {
  const value = fc.option(fc.integer({ min: 0, max: 9 }))
  const part = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.array(value, { maxLength: 20 }))
  fc.assert(
    fc.property(part, part, ([a, first], [b, second]) => {
      const [known, next] = [columnsOf(a * 10, first), columnsOf(b * 10, second)]
      const { columns, values } = joinedColumns(known, next)
      assert.equal(values.length, columns.count)
      const at = ({ columns: own, values: list }: KnownColumns, ms: number) =>
        list[(ms - own.start) / own.step]
      for (const [i, one] of values.entries()) {
        const ms = columns.start + i * columns.step
        const [old, late] = [at(known, ms), at(next, ms)]
        assert.equal(one, late === undefined ? (old ?? null) : late)
      }
      for (const one of [known, next]) {
        const covers = one.values.length === 0 || columns.start <= one.columns.start
        assert.ok(covers && columns.count >= one.columns.count)
      }
    }),
  )
})

test("columns of another width or grid are dropped, and those out of range", () => {
  const next = columnsOf(0, [1, 2, 3])
  assert.equal(joinedColumns(columnsOf(0, [9], 20), next), next)
  assert.equal(joinedColumns(columnsOf(5, [9]), next), next)
  assert.equal(joinedColumns(undefined, next), next)
  assert.deepEqual(columnsWithin(next, { startMs: 5, endMs: 15 }), columnsOf(10, [2]))
  assert.deepEqual(columnsWithin(next, { startMs: 0, endMs: 20 }), next)
  assert.equal(columnsWithin(next, { startMs: 50, endMs: 90 }).values.length, 0)
})
