/** Arbitraries of the contract suite: few series, few times, few values, so that samples collide. */

import fc from "fast-check"
import { cycleMs, dayMs, hourMs, resolutions } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import { noonMs, seriesName } from "../support/ingest/samples.ts"
import type { Sample, SampleRequest, SentFields, SeriesName } from "../support/ingest/samples.ts"

/** Two elements, two metrics, and a second tenant that uses the same names. */
export const fewSeries: readonly SeriesName[] = [
  seriesName("host-1", "cpu.total"),
  seriesName("host-1", "memory.used"),
  seriesName("host-2", "cpu.total"),
  seriesName("host-1", "cpu.total", 1),
]

export const seriesArbitrary = fc.constantFrom(...fewSeries)

/** Telemetry: short decimals, counters, and now and then what a codec finds hard. */
export const valueArbitrary = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 4, arbitrary: fc.integer({ min: -100_000, max: 100_000 }).map((cents) => cents / 100) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 2 ** 52 }) },
  { weight: 1, arbitrary: fc.double({ min: -1e100, max: 1e100, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(-0, 0.1, 0.3, 1e15 + 0.5, 5e-324, 2 ** 53, -1e-9) },
)

/** Instants of four days that end two hours after noon; many share a cycle, many are an edge. */
export const timeArbitrary = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -20, max: 4 }).map((n) => noonMs + n * 30_000) },
  { weight: 3, arbitrary: fc.integer({ min: -40, max: 1 }).map((n) => noonMs + n * cycleMs) },
  { weight: 2, arbitrary: fc.integer({ min: -84, max: 1 }).map((n) => noonMs + n * hourMs) },
  { weight: 2, arbitrary: fc.integer({ min: -3 * dayMs, max: hourMs }).map((n) => noonMs + n) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-1, 0, 1).map((n) => noonMs - (noonMs % dayMs) + n),
  },
)

/** Client-side aggregates in the forms that collectors send: full, partial, and with a value. */
export const aggregateArbitrary: fc.Arbitrary<SentFields> = fc
  .record({
    mean: fc.integer({ min: -1000, max: 1000 }).map((tenths) => tenths / 10),
    spread: fc.integer({ min: 0, max: 20 }),
    cnt: fc.integer({ min: 1, max: 6 }),
    form: fc.constantFrom(
      ...(["full", "fullAndVal", "avg", "avgCnt", "valCnt", "sumCnt", "valMinMax"] as const),
    ),
  })
  .map(({ mean, spread, cnt, form }): SentFields => {
    const around = { min: mean - spread, max: mean + spread }
    const full = { ...around, avg: mean, cnt, sum: mean * cnt }
    switch (form) {
      case "full":
        return full
      case "fullAndVal":
        return { val: mean + 1, ...full }
      case "avg":
        return { avg: mean }
      case "avgCnt":
        return { avg: mean, cnt, ...around }
      case "valCnt":
        return { val: mean, cnt }
      case "sumCnt":
        return { sum: mean * cnt, cnt, ...around }
      case "valMinMax":
        return { val: mean, ...around }
    }
  })

/** A sample without an observation: it is kept and shown, and counts nowhere. */
const nothingObserved: SentFields = { avg: 3, cnt: 0 }

export const sampleArbitrary: fc.Arbitrary<Sample> = fc.record({
  of: seriesArbitrary,
  timeMs: timeArbitrary,
  sent: fc.oneof(
    { weight: 5, arbitrary: valueArbitrary.map((val): SentFields => ({ val })) },
    { weight: 1, arbitrary: fc.oneof(aggregateArbitrary, fc.constant(nothingObserved)) },
  ),
})

/** A multiset: some of its samples are in it more than once. */
export const requestArbitrary: fc.Arbitrary<SampleRequest> = fc
  .array(fc.tuple(sampleArbitrary, fc.constantFrom(1, 1, 1, 2, 3)), { maxLength: 8 })
  .map((drawn) => drawn.flatMap(([sample, times]) => Array.from({ length: times }, () => sample)))

export const requestsArbitrary = fc.array(requestArbitrary, { minLength: 1, maxLength: 8 })

/** Ragged and even spans in and around the four days. */
export const spanArbitrary: fc.Arbitrary<Span> = fc
  .tuple(timeArbitrary, timeArbitrary, fc.constantFrom(0, 1, cycleMs, dayMs))
  .map(([left, right, more]) => ({
    startMs: Math.min(left, right),
    endMs: Math.max(left, right) + more,
  }))

export const resolutionArbitrary = fc.constantFrom(...resolutions)
