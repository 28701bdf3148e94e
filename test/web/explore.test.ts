/** Laws of Explore: queries in the URL, requests, the lines of answers. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import * as v from "valibot"
import { seriesAnswer, groupAggregations, seriesOrders } from "../../src/web/api/series-answer.ts"
import { exploreAddress } from "../../src/web/pages/element/explore-address.ts"
import { csvText, markdownTable } from "../../src/web/pages/explore/copies.ts"
import { answerLines, isWide } from "../../src/web/pages/explore/lines.ts"
import {
  emptyQuery,
  plainGroupings,
  readQueries,
  writeQueries,
  type ExploreQuery,
} from "../../src/web/pages/explore/query-codec.ts"
import { letters, queryFilter, seriesRequest } from "../../src/web/pages/explore/series-request.ts"
import { chartGroups, splitOf } from "../../src/web/pages/explore/split.ts"
import { parseAddress } from "../../src/web/url/address.ts"
import { metricAddress } from "../../src/web/url/explore-address.ts"
import { parseFilter } from "../../src/web/url/filter-language.ts"
import { seriesAnswerOf } from "../support/browser/series-answers.ts"

const key = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" })
const grouping = fc.oneof(
  fc.constantFrom(...plainGroupings),
  key.map((name) => `tag.${name}`),
  key.map((name) => `attribute.${name}`),
)
const query: fc.Arbitrary<ExploreQuery> = fc.record(
  {
    metric: fc.string({ maxLength: 30, unit: "grapheme" }),
    where: fc.string({ maxLength: 30, unit: "grapheme" }),
    by: grouping,
    aggregation: fc.constantFrom(...groupAggregations),
    order: fc.constantFrom(...seriesOrders),
    direction: fc.constantFrom("desc" as const, "asc" as const),
    limit: fc.integer({ min: 1, max: 1000 }),
    shift: fc.constantFrom("", "1h", "7d", "12w"),
    isOff: fc.boolean(),
  },
  { noNullPrototype: true },
)

test("queries that are printed are read as they were, and other parameters stay", () => {
  fc.assert(
    fc.property(fc.array(query, { maxLength: 8 }), (queries) => {
      const written = writeQueries(new URLSearchParams("q=old&from=now-1h"), queries)
      const read = readQueries(new URLSearchParams(written.toString()))
      assert.deepEqual(read, { queries, broken: [] })
      assert.equal(written.get("from"), "now-1h")
    }),
  )
})

test("new queries rank by the greatest value, addresses without an order by the mean", () => {
  const ranked = (address: string) => readQueries(parseAddress(address).query).queries[0]!
  assert.equal(emptyQuery.order, "max")
  assert.deepEqual(ranked("explore?q=cpu"), { ...emptyQuery, metric: "cpu", order: "avg" })
  const rewritten = writeQueries(new URLSearchParams(), [ranked("explore?q=cpu")])
  assert.equal(rewritten.get("q"), "cpu")
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (metric) => {
      assert.deepEqual(ranked(metricAddress(metric)), { ...emptyQuery, metric })
    }),
  )
})

test("any text is read as queries, and what cannot be read is named", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), (texts) => {
      const { queries } = readQueries(
        new URLSearchParams(texts.map((text): [string, string] => ["q", text])),
      )
      assert.ok(queries.length <= 8)
    }),
  )
  const { queries, broken } = readQueries(
    new URLSearchParams("q=cpu;top=0;by=size;agg=mean;shift=9x;what=1;dir=asc"),
  )
  assert.deepEqual(broken, ["q.top", "q.by", "q.agg", "q.shift", "q.what"])
  assert.deepEqual(queries, [{ ...emptyQuery, metric: "cpu", order: "avg", direction: "asc" }])
})

const range = {
  startMs: Date.parse("2026-11-23T06:00:00Z"),
  endMs: Date.parse("2026-11-23T12:00:00Z"),
}

function requestOf(queries: readonly ExploreQuery[]) {
  const look = { hasBands: true, percentiles: "lines" } as const
  return seriesRequest({ queries, terms: [], range, width: 800, ...look })
}

test("a request has the queries with a metric that are on, and fields that each may have", () => {
  assert.equal(requestOf([emptyQuery, { ...emptyQuery, metric: "cpu", isOff: true }]), null)
  const request = requestOf([
    { ...emptyQuery, metric: "cpu" },
    emptyQuery,
    { ...emptyQuery, metric: "cpu", by: "type", shift: "7d" },
    { ...emptyQuery, metric: "cpu", limit: 200 },
  ])!
  assert.deepEqual(
    request.queries.map(({ id, shift }) => [id, shift]),
    [
      ["A", undefined],
      ["A.p", undefined],
      ["C", "P7D"],
      ["D", undefined],
    ],
  )
  const [series, percentiles, group, many] = request.queries.map(
    ({ fields }) => new Set<string>(fields),
  )
  assert.ok(series!.has("baseline") && !series!.has("p95"))
  assert.ok(!percentiles!.has("actual") && percentiles!.has("p95"))
  assert.ok(!group!.has("baseline"))
  assert.ok(many!.has("baseline"))
})

test("a metric is a name, a text with stars or a pattern, which terms restrict", () => {
  const item = (metric: string) => queryFilter({ metric, where: "" }, [])["metricFqns"]!.items[0]
  assert.deepEqual(item("cpu.total"), { item: "cpu.total", literal: true })
  assert.deepEqual(item("cpu.*"), { item: "cpu.*", queryType: "WILDCARD", literal: false })
  assert.deepEqual(item("/^cpu/"), { item: "^cpu", queryType: "REGEX" })
  const { terms } = parseFilter("metric:user type:SERVER")
  const both = queryFilter({ metric: "cpu.*", where: "tag.env:prod" }, terms)
  assert.deepEqual(Object.keys(both).sort(), ["elementTags", "elementTypes", "metricFqns"])
  assert.equal(both["metricFqns"]!.nestedItems!.length, 2)
})

const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 30,
})

test("every generated answer is decoded, and its lines have names and colours of their own", () => {
  fc.assert(
    fc.property(names, fc.array(query, { minLength: 1, maxLength: 3 }), (elements, given) => {
      const queries = given.map((one, i) => ({
        ...one,
        metric: `m${i}`,
        by: "series",
        isOff: false,
      }))
      const made = {
        names: elements,
        unit: "percent",
        valueOf: (i: number) => (i % 3 === 0 ? null : i),
      }
      const answer = v.parse(seriesAnswer, seriesAnswerOf(requestOf(queries)!, made))
      const answered = answerLines(answer, queries, new Map())
      const { lines } = answered
      const count = queries.reduce((sum, { limit }) => sum + Math.min(limit, elements.length), 0)
      assert.equal(lines.length, count)
      assert.equal(new Set(lines.map(({ id }) => id)).size, count)
      assert.equal(new Set(lines.map(({ name }) => name)).size, count)
      assert.equal(new Set(lines.map(({ tone }) => tone)).size, count)
      const charts = chartGroups(answered, true, "lines").map((one) => one.lines)
      assert.deepEqual(charts.flat(), lines)
      // The best of each query have their colours in one chart of all as well.
      const shared = charts.flatMap((one) => one.slice(0, Math.floor(8 / queries.length)))
      for (const best of [shared, ...charts.map((one) => one.slice(0, 8))]) {
        assert.equal(new Set(best.map(({ tone }) => tone % 8)).size, best.length)
      }
    }),
  )
})

/** The answer to queries whose series have these units, one query a list. */
function answerInUnits(units: readonly (readonly string[])[]) {
  const queries = units.map((_, i) => ({ ...emptyQuery, metric: `m${i}` }))
  const look = { hasBands: false, percentiles: "none" } as const
  const asked = seriesRequest({ queries, terms: [], range, width: 800, ...look })!
  const made = seriesAnswerOf(asked, { names: ["a", "b", "c"], unit: "", valueOf: () => 1 })
  const given = made.queries.map((one, i) => ({
    ...one,
    series: one.series.slice(0, units[i]!.length).map((line, k) => ({
      ...line,
      unit: units[i]![k],
    })),
  }))
  return answerLines(v.parse(seriesAnswer, { ...made, queries: given }), queries, new Map())
}

test("lines of a third unit have charts of their own, until the person joins them", () => {
  const two = answerInUnits([["percent"], ["ms"]])
  const three = answerInUnits([["percent"], ["ms"], ["bytes"]])
  const shared = { isEach: false, isOffered: true, other: "1" }
  assert.deepEqual(splitOf("auto", "lines", two), shared)
  assert.deepEqual(splitOf("1", "lines", two), { isEach: true, isOffered: true, other: "auto" })
  const split = { isEach: true, isOffered: true, other: "0" }
  assert.deepEqual(splitOf("auto", "lines", three), split)
  assert.deepEqual(splitOf("0", "lines", three), { isEach: false, isOffered: true, other: "auto" })
  assert.equal(splitOf("auto", "lines", null).isEach, false)
  assert.equal(splitOf("0", "heat", two).isEach, true)
  const titles = chartGroups(three, true, "lines").map(({ title }) => title)
  assert.deepEqual(titles, ["A m0", "B m1", "C m2"])
  assert.equal(chartGroups(three, false, "lines")[0]!.lines.length, 3)
})

test("a query whose series have more units than a chart has axes has a chart for each", () => {
  const answer = answerInUnits([["percent", "ms", ""]])
  assert.equal(splitOf("auto", "lines", answer).isEach, true)
  const groups = chartGroups(answer, true, "lines")
  const found = groups.map(({ title, lines }) => [title, lines.length])
  assert.deepEqual(found, [
    ["m0 · percent", 1],
    ["m0 · ms", 1],
    ["m0 · no unit", 1],
  ])
  assert.equal(chartGroups(answerInUnits([["percent", "ms"]]), true, "lines").length, 1)
  assert.equal(chartGroups(answerInUnits([["percent", "ms"]]), true, "heat").length, 2)
})

test("a query that failed is no line, and an answer of another shape is refused", () => {
  const queries = [{ ...emptyQuery, metric: "a" }]
  const good = seriesAnswerOf(requestOf(queries)!, { names: ["x"], unit: "", valueOf: () => 1 })
  const failed = { ...good.queries[0], status: "error", errors: ["by: expected …"], rollup: null }
  const answer = v.parse(seriesAnswer, { ...good, queries: [{ ...failed, series: [] }] })
  const { lines, failures } = answerLines(answer, queries, new Map())
  assert.deepEqual([lines.length, failures.map(({ id }) => id)], [0, [letters[0]]])
  const broken = { ...good, queries: [{ ...good.queries[0], columns: { start: 0 } }] }
  assert.equal(v.safeParse(seriesAnswer, broken).success, false)
})

test("a column has an envelope if it may hold several values", () => {
  assert.equal(isWide(300_000, "PT5M"), false)
  assert.equal(isWide(900_000, "PT5M"), true)
  assert.equal(isWide(10_000, "ZERO"), true)
})

test("a copied table keeps its columns whatever a name is", () => {
  const queries = [{ ...emptyQuery, metric: "a" }]
  const made = { names: ["a|b\n\\c"], unit: "percent", valueOf: () => 0.5 }
  const answer = v.parse(seriesAnswer, seriesAnswerOf(requestOf(queries)!, made))
  const rows = markdownTable(answerLines(answer, queries, new Map()).lines).split("\n")
  assert.equal(rows.length, 3)
  for (const row of rows) assert.equal(row.match(/(?<!\\)\|/g)!.length, 7, row)
})

test("percentiles that fail leave the lines as they are", () => {
  const queries = [{ ...emptyQuery, metric: "a" }]
  const good = seriesAnswerOf(requestOf(queries)!, {
    names: ["x"],
    unit: "",
    valueOf: (_, ms) => ms,
  })
  const [whole] = answerLines(v.parse(seriesAnswer, good), queries, new Map()).lines
  assert.equal(whole!.percentiles.p95!.length, whole!.values.length)
  const [lines, percentiles] = good.queries
  const failed = { ...percentiles, status: "error", errors: ["fields: none"], series: [] }
  const answer = v.parse(seriesAnswer, { ...good, queries: [lines, failed] })
  const without = answerLines(answer, queries, new Map())
  assert.deepEqual([without.lines.length, without.failures.length], [1, 0])
  assert.deepEqual(without.percentileProblems, ["fields: none"])
})

test("CSV has a row for each value, and no cell that a spreadsheet runs", () => {
  const queries = [{ ...emptyQuery, metric: "a" }]
  const made = { names: ['=cmd("x"),1', "b"], unit: "percent", valueOf: () => 0.5 }
  const { lines } = answerLines(
    v.parse(seriesAnswer, seriesAnswerOf(requestOf(queries)!, made)),
    queries,
    new Map(),
  )
  const rows = csvText(lines).split("\r\n")
  assert.equal(rows.length, 2 + lines.reduce((sum, { values }) => sum + values.length, 0))
  assert.ok(rows[1]!.includes(`,"'=cmd(""x""),1",percent,0.5,0.5,0.5`), rows[1])
})

test("a link from an element asks for that element alone, whatever its FQN holds", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 100 }), (elementFqn) => {
      const { query } = parseAddress(exploreAddress({ metric: "cpu.*", elementFqn }))
      const { queries, broken } = readQueries(query)
      assert.deepEqual(broken, [])
      const { terms, problems } = parseFilter(queries[0]!.where)
      assert.deepEqual(problems, [])
      const values = [{ text: elementFqn, match: "equal" }]
      assert.deepEqual(terms, [{ isNot: false, field: { kind: "fqn" }, values }])
    }),
  )
})
