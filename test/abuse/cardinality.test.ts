import assert from "node:assert/strict"
import { test } from "node:test"
import { partitionsMax } from "../../src/catalogue/catalogue.ts"
import { applyEdit } from "../../src/catalogue/edit.ts"
import type { IngestOutcome } from "../../src/ingest/ingest.ts"
import { element, nowMs, Reading, sample } from "../ingest/reading.ts"

const reading = (seriesMax: number, newSeriesPerMinuteMax = 1_000_000) =>
  new Reading({ cardinality: { seriesMax, newSeriesPerMinuteMax, textBytesMax: Infinity } })

/** An element with a sample of each of these metrics. */
const withMetrics = (id: string, ...metrics: string[]) =>
  element({ id, samples: metrics.map((metricId) => sample({ metricId })) })

const isWhole = (outcome: IngestOutcome) => outcome.ok && outcome.refused === undefined

/** The words of a refusal of a body, or of what is new in it. */
function refused(outcome: IngestOutcome): { problem: string; retryAfterSeconds?: number } {
  const refusal = outcome.ok ? outcome.refused : outcome
  assert.ok(refusal !== undefined, "Expected a refusal")
  assert.equal(refusal.detail, "Series Limit Exceeded")
  const { errors, retryAfterSeconds } = refusal
  return {
    problem: errors.join(),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

test("of a body over the series limit, the samples of known series are stored", () => {
  const r = reading(3)
  assert.ok(r.read([withMetrics("a", "m", "n")]).ok)
  const before = r.known()
  const outcome = r.read([withMetrics("b", "m"), withMetrics("a", "o", "m"), withMetrics("b", "n")])
  const { problem, retryAfterSeconds } = refused(outcome)
  assert.match(problem, /3 new series to 2 known ones, more than the series limit of 3/)
  assert.equal(retryAfterSeconds, undefined)
  assert.deepEqual([outcome.ok, outcome.ok && outcome.samples], [true, 1])
  assert.deepEqual(r.known(), before)
  assert.deepEqual(
    r.samples().map(({ element, metric, request }) => [element, metric, request]),
    [
      ["a", "m", 0],
      ["a", "n", 0],
      ["a", "m", 1],
    ],
  )
  const alone = r.read([withMetrics("b", "m", "n")])
  assert.ok(!alone.ok && alone.detail === "Series Limit Exceeded", "nothing of it is known")
  assert.equal(r.columns.requestCount, 2)
  assert.ok(r.read([withMetrics("a", "m", "n")]).ok)
  assert.ok(r.read([withMetrics("a", "m", "o")]).ok, "the last one fits exactly")
  refused(r.read([withMetrics("a", "p")]))
})

test("a declared metric counts once, with samples or without, however often it is repeated", () => {
  const metrics = [{ id: "m", unit: "s" }, { id: "n" }, { id: "m", unit: "s" }]
  const r = reading(2)
  assert.ok(r.read([element({ metrics, samples: [sample({ metricId: "m" })] })]).ok)
  assert.equal(r.catalogue.seriesCount, 2)
  assert.ok(r.read([element({ metrics, samples: [sample({ metricId: "n" })] })]).ok)
  refused(r.read([element({ metrics: [...metrics, { id: "o" }], samples: [] })]))
})

test("elements without metrics, and changed definitions, are bounded too", () => {
  const r = reading(2)
  assert.ok(r.read([{ id: "a" }, { id: "b" }, { id: "a" }]).ok)
  assert.match(refused(r.read([{ id: "c" }])).problem, /new elements/)

  const d = reading(3)
  const says = (unit: string) => d.read([element({ metrics: [{ id: "cpu", unit }] })])
  for (const unit of ["s", "ms"]) assert.ok(says(unit).ok)
  // A third one: the definition of a metric of which nothing was said is one as well.
  let units = 0
  while (units < 10 && isWhole(says(`u${units}`))) units++
  assert.ok(units < 3)
  assert.ok(isWhole(says("s")), "a known definition goes on")
})

test("of a body over a limit, changes of known elements are stored as far as they fit", () => {
  const said = (unit: string, stage: string, ...more: string[]) =>
    element({
      id: "a",
      tags: [{ name: "stage", value: stage }],
      metrics: [{ id: "cpu", unit }, ...more.map((id) => ({ id }))],
    })
  for (const scanner of [true, false]) {
    const limits = { seriesMax: 1, newSeriesPerMinuteMax: 9, textBytesMax: Infinity }
    const r = new Reading({ cardinality: limits, scanner })
    const known = () => [
      r.catalogue.elementInfo(0).tags[0]!.value,
      r.catalogue.seriesDefinition(0).unit,
      r.catalogue.seriesCount,
    ]
    assert.ok(r.read([said("s", "test")]).ok)
    refused(r.read([said("s", "live", "new"), withMetrics("b", "cpu")]))
    assert.deepEqual(known(), ["live", "s", 1])
    // A second definition is one over the limit: then nothing is changed.
    refused(r.read([said("ms", "down", "new")]))
    assert.deepEqual(known(), ["live", "s", 1])
    assert.equal(r.samples().length, 3)
    assert.ok(r.read([said("s", "down")]).ok)
    assert.deepEqual(known(), ["down", "s", 1])
  }
})

test("aggregates and times of the samples that are stored in part are those that were sent", () => {
  const r = reading(2)
  r.read([withMetrics("a", "m", "n")])
  const more = (metricId: string, at: number) =>
    sample({
      metricId,
      timestamp: nowMs + at,
      val: undefined,
      min: at,
      max: at + 2,
      sum: 7,
      cnt: 3,
    })
  const samples = [more("new", 1), more("m", 1), sample({ metricId: "x" }), more("n", 2)]
  refused(r.read([element({ id: "a", samples: [...samples, sample({ metricId: "m", val: 5 })] })]))
  const fields = (at: number) => ({ min: at, max: at + 2, cnt: 3, sum: 7 })
  const of = { element: "a", request: 1 }
  assert.deepEqual(r.samples().slice(2), [
    { ...of, metric: "m", timeMs: nowMs + 1, value: 7 / 3, fields: fields(1) },
    { ...of, metric: "n", timeMs: nowMs + 2, value: 7 / 3, fields: fields(2) },
    { ...of, metric: "m", timeMs: nowMs, value: 5 },
  ])
})

test("a deleted element counts no more, and counts again once a post restores it", () => {
  for (const scanner of [true, false]) {
    const limits = { seriesMax: 4, newSeriesPerMinuteMax: 99, textBytesMax: Infinity }
    const r = new Reading({ cardinality: limits, scanner })
    const { present } = r.catalogue
    const counts = () => [present.elementsOf(0), present.seriesOf(0)]
    assert.ok(isWhole(r.read([withMetrics("a", "m", "n"), withMetrics("b", "m", "n")])))
    refused(r.read([withMetrics("c", "m")]))
    applyEdit(r.catalogue, { tenant: 0, element: "a", nowMs, kind: "removeElement" })
    assert.deepEqual(counts(), [1, 2])
    assert.ok(isWhole(r.read([withMetrics("c", "m")])))
    const samples = r.samples().length
    // With its two series, the element would be one too many.
    const { problem } = refused(r.read([withMetrics("a", "m"), withMetrics("b", "m")]))
    assert.match(problem, /2 new series to 3 known ones/)
    assert.equal(r.samples().length, samples + 1)
    assert.equal(r.catalogue.isDeleted(r.catalogue.findElement(0, "a")), true)
    assert.deepEqual(counts(), [2, 3])
    applyEdit(r.catalogue, { tenant: 0, element: "c", nowMs, kind: "removeElement" })
    assert.ok(isWhole(r.read([withMetrics("a", "m")])))
    assert.deepEqual(counts(), [2, 4])
  }
})

test("the text of a deleted element counts no more, until a post restores it", () => {
  const limits = { seriesMax: 99, newSeriesPerMinuteMax: 99, textBytesMax: 5_000 }
  const r = new Reading({ cardinality: limits })
  const said = (id: string) => element({ id, location: "x".repeat(2_000) })
  assert.ok(isWhole(r.read([said("a"), said("b")])))
  const full = r.catalogue.textBytes.tenantBytes(0)
  assert.ok(!r.read([said("c")]).ok)
  applyEdit(r.catalogue, { tenant: 0, element: "a", nowMs, kind: "removeElement" })
  assert.ok(isWhole(r.read([said("c")])))
  assert.equal(r.catalogue.textBytes.tenantBytes(0), full)
  assert.ok(!r.read([said("a")]).ok)
  applyEdit(r.catalogue, { tenant: 0, element: "b", nowMs, kind: "removeElement" })
  assert.ok(isWhole(r.read([said("a")])))
  assert.equal(r.catalogue.textBytes.tenantBytes(0), full)
})

test("a store without numbers for further blocks refuses new series, known ones go on", () => {
  const r = reading(1_000_000)
  assert.ok(isWhole(r.read([withMetrics("a", "m")])))
  r.catalogue.reserveNumbers({ ...r.catalogue.numbers, partitions: partitionsMax })
  const { problem } = refused(r.read([withMetrics("a", "m", "n")]))
  assert.match(problem, /1 new series, .* it numbers 8388608 blocks of series, forgotten ones/)
  assert.equal(r.samples().length, 2)
  assert.ok(isWhole(r.read([withMetrics("a", "m")])))
})

test("tenants do not share the limit", () => {
  const r = reading(1)
  assert.ok(r.read([withMetrics("a", "m")]).ok)
  assert.ok(r.read([withMetrics("a", "m")], { tenant: 1 }).ok)
  refused(r.read([withMetrics("a", "n")], { tenant: 1 }))
})

test("new series over a minute's limit are to be sent again in the next minute", () => {
  const r = reading(1_000, 5)
  assert.ok(r.read([withMetrics("a", "m", "n")], { nowMs: nowMs + 1_000 }).ok)
  const more = [withMetrics("b", "m", "n", "o"), withMetrics("a", "m")]
  const { problem, retryAfterSeconds } = refused(r.read(more, { nowMs: nowMs + 10_000 }))
  assert.match(
    problem,
    /4 new .* to 4 of this minute, more than the new-series limit of 5 a minute/,
  )
  assert.equal(retryAfterSeconds, 50)
  assert.equal(r.samples().length, 3, "the known series is stored")
  assert.ok(r.read([withMetrics("a", "m", "n")], { nowMs: nowMs + 20_000 }).ok)
  assert.ok(r.read(more, { nowMs: nowMs + 60_000 }).ok)
})

test("a clock that jumps neither stops growth nor lets it pass the total", () => {
  const hourMs = 3_600_000
  const yearsMs = 3_650 * 24 * hourMs
  const r = reading(6, 3)
  let metric = 0
  for (const byMs of [0, -1_000, hourMs, -hourMs, yearsMs, -yearsMs]) {
    const at = { nowMs: nowMs + byMs, injectTimestamp: true }
    assert.ok(r.read([withMetrics("a", `m${metric++}`)], at).ok, `${byMs}`)
  }
  refused(r.read([withMetrics("a", "over")]))
})

test("posts of one body that change a metric again and again leave one definition", () => {
  const r = new Reading()
  const say = (value: number) => element({ metrics: [{ id: "cpu", unit: "s", tags: { value } }] })
  assert.ok(r.read([say(0)]).ok)
  assert.ok(r.read(Array.from({ length: 100 }, (_, i) => say(i))).ok)
  assert.equal(r.catalogue.definitionCount, 2)
  assert.deepEqual(r.catalogue.seriesDefinition(0).tags, [{ name: "value", value: "99" }])
  assert.equal(r.catalogue.seriesDefinition(0).unit, "s")
})

test("the tags of a metric are bounded over all posts of a body", () => {
  const r = new Reading()
  const say = (i: number) => element({ metrics: [{ id: "cpu", tags: { [`t${i}`]: 1 } }] })
  const outcome = r.read(Array.from({ length: 257 }, (_, i) => say(i)))
  assert.ok(!outcome.ok)
  assert.match(outcome.errors[0]!, /257 tags of metric cpu, known ones included,/)
})
