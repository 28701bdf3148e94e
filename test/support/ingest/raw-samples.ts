/** Raw samples as plain lists, and the columns of the embedded store that hold the same. */

import fc from "fast-check"
import { fieldCount } from "../../../src/model/sample-batch.ts"
import type { IncomingSamples } from "../../../src/store/lmdb/merge/group-by-block.ts"
import { SampleRun } from "../../../src/store/lmdb/encoding/sample-run.ts"

export interface RawSample {
  readonly timeMs: number
  readonly value: number
  /** 0 for a plain value. */
  readonly mask: number
  /** Six fields, 0 if `mask` has no bit; none for a plain value. */
  readonly fields: readonly number[]
}

/** Few different times and values, so that equal samples are common. */
export const cramped: fc.Arbitrary<RawSample> = rawSample(
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom(-0, 0, 1, 2.5),
)

/** Any whole millisecond of an hour and any finite value. */
export const spread: fc.Arbitrary<RawSample> = rawSample(
  fc.integer({ min: 0, max: 3_600_000 - 1 }),
  fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100),
  ),
)

function rawSample(times: fc.Arbitrary<number>, values: fc.Arbitrary<number>) {
  return fc.record({ timeMs: times, value: values }).chain((sample) => {
    const plain = fc.constant({ ...sample, mask: 0, fields: [] as number[] })
    const sent = fc.array(values, { minLength: fieldCount, maxLength: fieldCount })
    const aggregated = fc.tuple(fc.constantFrom(0b111110, 0b10, 0b1001), sent)
    return fc.oneof(
      { weight: 3, arbitrary: plain },
      {
        weight: 1,
        arbitrary: aggregated.map(([mask, fields]) => {
          return { ...sample, mask, fields: fields.map((each, f) => ((mask >> f) & 1 ? each : 0)) }
        }),
      },
    )
  })
}

/** One line a sample with all its fields, -0 included. */
export function sampleText({ timeMs, value, mask, fields }: RawSample): string {
  return [timeMs, value, mask, ...fields].map(numberText).join(" ")
}

export function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value)
}

/** By time, then value (-0 before 0), plain ones first, then mask and fields. */
export function canonical(samples: readonly RawSample[]): RawSample[] {
  return [...samples].sort((left, right) => {
    const l = [left.timeMs, left.value, left.mask, ...left.fields]
    const r = [right.timeMs, right.value, right.mask, ...right.fields]
    for (let i = 0; i < Math.min(l.length, r.length); i++) {
      const difference = l[i]! - r[i]! || Number(Object.is(r[i], -0)) - Number(Object.is(l[i], -0))
      if (difference !== 0) return difference
    }
    return 0
  })
}

/** Columns with one slot a list. */
export function sampleRunOf(slots: readonly (readonly RawSample[])[]): SampleRun {
  const raw = new SampleRun()
  for (const samples of slots) {
    for (const sample of samples) push(raw, sample)
    raw.endSlot()
  }
  return raw
}

function push(raw: SampleRun, { timeMs, value, mask, fields }: RawSample): void {
  if (mask === 0) return raw.push(timeMs, value)
  const aggregateMasks = Uint8Array.of(mask)
  const aggregateFields = Float64Array.from(fields)
  raw.pushAggregate(timeMs, value, { aggregateMasks, aggregateFields }, 0)
}

export function samplesOf(raw: SampleRun, from = 0, to = raw.count): RawSample[] {
  return Array.from({ length: to - from }, (_, i) => {
    const entry = raw.aggregates[from + i]!
    const fields = raw.aggregateFields.subarray(entry * fieldCount, (entry + 1) * fieldCount)
    return {
      timeMs: raw.timesMs[from + i]!,
      value: raw.values[from + i]!,
      mask: entry < 0 ? 0 : raw.aggregateMasks[entry]!,
      fields: entry < 0 ? [] : [...fields],
    }
  })
}

/** The samples that arrived for one series, request after request. */
export function incomingOf(requests: readonly (readonly RawSample[])[]): IncomingSamples {
  const all = requests.flatMap((samples, request) => samples.map((each) => ({ each, request })))
  const aggregated = all.filter(({ each }) => each.mask !== 0)
  return {
    slots: new Uint8Array(all.length),
    timesMs: Float64Array.from(all, ({ each }) => each.timeMs),
    values: Float64Array.from(all, ({ each }) => each.value),
    requests: Int32Array.from(all, ({ request }) => request),
    aggregates:
      aggregated.length === 0
        ? new Int32Array(0)
        : Int32Array.from(all, (one) => aggregated.indexOf(one)),
    aggregateMasks: Uint8Array.from(aggregated, ({ each }) => each.mask),
    aggregateFields: Float64Array.from(aggregated.flatMap(({ each }) => [...each.fields])),
  }
}
