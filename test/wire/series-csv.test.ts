/** The CSV of series queries, read back by a parser of RFC 4180. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { parse } from "csv-parse/sync"
import fc from "fast-check"
import { printSeriesCsv } from "../../src/wire/series/series-csv.ts"
import { printedText } from "../support/server/answer-text.ts"
import type { SeriesLine } from "../../src/wire/series/series-query-result.ts"

const empty = { min: null, avg: null, max: null, last: null, lastTime: null, sum: null }

const subject = fc.record({
  elementFqn: fc.option(fc.string({ unit: "grapheme" }).map((text) => `${text},"\r\n`)),
  metricFqn: fc.string(),
  group: fc.option(fc.constantFrom("prod", 'the "other", one')),
})
const value = fc.oneof(fc.constant(NaN), fc.integer(), fc.double({ noNaN: true }))
const line = fc
  .record({ subject, actual: fc.array(value, { minLength: 3, maxLength: 3 }) })
  .map(({ subject: about, actual }): SeriesLine => ({
    subject: {
      ...about,
      elementId: null,
      elementName: null,
      elementType: null,
      metricId: null,
      unit: null,
      isCounter: false,
    },
    summary: { ...empty, count: 0, p95: null },
    columns: [{ name: "actual", values: Float64Array.from(actual) }],
  }))

test("every value has a row with its time and names, whatever is in them", () => {
  fc.assert(
    fc.property(fc.array(fc.array(line, { maxLength: 3 }), { minLength: 1 }), (queries) => {
      const grid = { startMs: 1_700_000_100_000, stepMs: 300_000, count: 3 }
      const rest = { resolution: "PT5M", grid, isPartial: false, unit: null } as const
      const given = queries.map((lines, i) => {
        return { id: `query ${i}`, result: { ...rest, matched: lines.length, lines } }
      })
      const text = printedText(printSeriesCsv(given))
      const [head, ...rows] = parse(text, { recordDelimiter: "\r\n" }) as string[][]
      const isThere = (name: string) => head!.includes(name)
      const want = given.flatMap(({ id, result }) =>
        result.lines.flatMap(({ subject: about, columns }) =>
          [...columns[0]!.values].flatMap((number, i) => {
            if (!Number.isFinite(number)) return []
            const time = new Date(grid.startMs + i * grid.stepMs).toISOString()
            const names = [about.elementFqn ?? "", about.metricFqn ?? ""]
            const group = isThere("group") ? [about.group ?? ""] : []
            const query = isThere("query") ? [id] : []
            return [[time, ...names, ...group, ...query, `${number}`]]
          }),
        ),
      )
      assert.deepEqual(rows, want)
      assert.equal(isThere("query"), given.length > 1)
    }),
  )
})
