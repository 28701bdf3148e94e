/**
 * Model: the answers that a store must give, from arrays that keep every sample. The laws are those
 * of spec/samples §1 and spec/samples §2: the multiset union over requests, buckets as functions of
 * the samples.
 */

import { bucketWidthMs, cycleMs, dayMs, type Resolution } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import type { Statistics } from "../../src/model/statistics.ts"
import type { Sample, SampleRequest, SentFields, SeriesName } from "../support/ingest/samples.ts"
import { countedOver } from "../support/store/counted-over.ts"
import { recordText } from "./record-text.ts"
import { isCounter } from "./requests.ts"

interface Kept {
  readonly series: string
  readonly timeMs: number
  readonly sent: SentFields
  /** As often as in the request that held it most often. */
  times: number
}

export type Totals = Pick<Statistics, "count" | "sum" | "min" | "max">

export class Model {
  private readonly kept: Kept[] = []
  private readonly byKey = new Map<string, Kept>()

  add(request: SampleRequest): void {
    const counts = new Map<string, number>()
    for (const sample of request) {
      const key = keyOf(sample)
      const times = (counts.get(key) ?? 0) + 1
      counts.set(key, times)
      this.keep(key, sample, times)
    }
  }

  /** Numbers of the days that hold anything. */
  days(): Set<number> {
    return new Set(this.kept.map(({ timeMs }) => Math.floor(timeMs / dayMs)))
  }

  /** The records of a series in whole days, as texts to compare, in their order. */
  records(of: SeriesName, resolution: Resolution, span: Span): string[] {
    if (resolution === "ZERO") {
      const texts = this.within(of, span).flatMap(({ timeMs, sent, times }) =>
        Array.from({ length: times }, () => recordText({ timeMs, fields: sent })),
      )
      return texts.sort()
    }
    const width = bucketWidthMs[resolution]
    const startOf = ({ timeMs }: Kept): number => Math.floor(timeMs / width) * width
    const starts = [...new Set(this.within(of, span).map(startOf))]
    return starts.map((startMs) => this.bucket(of, { startMs, endMs: startMs + width })).sort()
  }

  /** Over all observations of a series; null if it has none. */
  totals(of: SeriesName, span: Span): Totals | null {
    const each = this.within(of, span)
    if (each.length === 0) return null
    return {
      count: total(each.map((one) => one.times * countOf(one))),
      sum: total(each.map((one) => one.times * sumOf(one))),
      min: Math.min(...each.map(({ sent }) => sent.min ?? sent.val!)),
      max: Math.max(...each.map(({ sent }) => sent.max ?? sent.val!)),
    }
  }

  /** Every observation of several series as one list: an aggregate's at its average. */
  observations(of: readonly SeriesName[], span: Span): number[] {
    return of.flatMap((one) =>
      this.within(one, span).flatMap((kept) =>
        Array.from({ length: kept.times * countOf(kept) }, () => valueOf(kept)),
      ),
    )
  }

  private keep(key: string, { of, timeMs, sent }: Sample, times: number): void {
    const known = this.byKey.get(key)
    if (known !== undefined) known.times = Math.max(known.times, times)
    else {
      const kept = { series: JSON.stringify(of), timeMs, sent, times }
      this.byKey.set(key, kept)
      this.kept.push(kept)
    }
  }

  private within(of: SeriesName, { startMs, endMs }: Span): Kept[] {
    const series = JSON.stringify(of)
    return this.kept.filter(
      (one) => one.series === series && startMs <= one.timeMs && one.timeMs < endMs,
    )
  }

  private bucket(of: SeriesName, span: Span): string {
    const { count, sum, min, max } = this.totals(of, span)!
    const cycles = new Set(this.within(of, span).map(({ timeMs }) => Math.floor(timeMs / cycleMs)))
    const actuals = [...cycles].flatMap((cycle) => this.actual(of, cycle) ?? [])
    const actual = total(actuals) / actuals.length
    const fields = {
      ...(actuals.length > 0 && { actual }),
      avg: sum / count,
      min,
      max,
      cnt: count,
      sum,
    }
    return recordText({ timeMs: span.startMs, fields })
  }

  /**
   * Of a cycle with samples: its average, or the sum of a counter's steps from the last value
   * before; undefined before any.
   */
  private actual(of: SeriesName, cycle: number): number | undefined {
    const span = { startMs: cycle * cycleMs, endMs: (cycle + 1) * cycleMs }
    const { sum, count } = this.totals(of, span)!
    if (!isCounter(of)) return sum / count
    const reachMs = Math.floor(span.startMs / dayMs) * dayMs - 90 * dayMs
    const before = this.lastValue(of, { startMs: reachMs, endMs: span.startMs })
    if (before === undefined) return undefined
    return countedOver([before, ...this.values(of, span)])
  }

  /** The newest value; of several at one instant the greatest. Undefined if there is none. */
  private lastValue(of: SeriesName, span: Span): number | undefined {
    return this.values(of, span).at(-1)
  }

  /** Values in order of time, the smallest first of several at one instant. */
  private values(of: SeriesName, span: Span): number[] {
    return this.within(of, span)
      .sort((left, right) => left.timeMs - right.timeMs || valueOf(left) - valueOf(right))
      .map(valueOf)
  }
}

const valueOf = ({ sent }: Kept): number => sent.avg ?? sent.val!
const keyOf = ({ of, timeMs, sent }: Sample): string => JSON.stringify([of, timeMs, sent])
const countOf = ({ sent }: Kept): number => sent.cnt ?? 1
const sumOf = ({ sent }: Kept): number => sent.sum ?? sent.val!
const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
