/**
 * DedupModel: spec/samples §1, spec/samples §2 and spec/statistics §2 implemented a second time, as
 * naively as possible, as the oracle of the reference store. It shares no arithmetic with
 * src/rollup: arrays, two-pass sums and sorting, observation by observation. An aggregated sample
 * of `cnt` observations is `cnt` observations of its mean.
 */

import { bucketWidthMs, cycleMs } from "../../../src/model/resolution.ts"
import type { BucketResolution, Resolution } from "../../../src/model/resolution.ts"
import type { Span } from "../../../src/model/span.ts"
import type { Statistics } from "../../../src/model/statistics.ts"
import type { Sample, SampleRequest, SentFields, SeriesName } from "../ingest/samples.ts"

/** The observations of one sample. */
interface Observations {
  readonly timeMs: number
  readonly mean: number
  readonly cnt: number
  readonly min: number
  readonly max: number
}

export interface ModelBucket {
  readonly timeMs: number
  readonly actual: number
  readonly avg: number
  readonly min: number
  readonly max: number
  readonly cnt: number
  readonly sum: number
}

export class DedupModel {
  private readonly kept = new Map<string, { readonly sample: Sample; times: number }>()

  /** Takes the multiset union: of each distinct sample the larger multiplicity is kept. */
  add(request: SampleRequest): void {
    for (const sample of request) {
      const key = JSON.stringify([sample.of, sample.timeMs, Object.entries(sample.sent).sort()])
      const times = request.filter((other) => sameSample(other, sample)).length
      const known = this.kept.get(key)
      if (known === undefined) this.kept.set(key, { sample, times })
      else known.times = Math.max(known.times, times)
    }
  }

  raw(of: SeriesName, span: Span): Observations[] {
    return [...this.kept.values()]
      .filter(({ sample }) => JSON.stringify(sample.of) === JSON.stringify(of))
      .filter(({ sample }) => span.startMs <= sample.timeMs && sample.timeMs < span.endMs)
      .flatMap(({ sample, times }) => Array.from({ length: times }, () => observations(sample)))
      .sort((left, right) => left.timeMs - right.timeMs || left.mean - right.mean)
  }

  buckets(of: SeriesName, resolution: BucketResolution, span: Span): ModelBucket[] {
    const width = bucketWidthMs[resolution]
    const starts = new Set(
      this.raw(of, { startMs: -Infinity, endMs: Infinity }).map(
        ({ timeMs }) => Math.floor(timeMs / width) * width,
      ),
    )
    return [...starts]
      .filter((startMs) => span.startMs <= startMs && startMs < span.endMs)
      .sort((left, right) => left - right)
      .map((startMs) => this.bucket(of, { startMs, endMs: startMs + width }))
  }

  statistics(of: SeriesName, resolution: Resolution, span: Span): Statistics {
    if (resolution !== "ZERO") {
      return statisticsOfNumbers(this.buckets(of, resolution, span).map(({ actual }) => actual))
    }
    const raw = this.raw(of, span)
    return {
      ...statisticsOfNumbers(
        raw.flatMap(({ mean, cnt }) => Array.from({ length: cnt }, () => mean)),
      ),
      min: Math.min(...raw.map(({ min }) => min)),
      max: Math.max(...raw.map(({ max }) => max)),
    }
  }

  private bucket(of: SeriesName, span: Span): ModelBucket {
    const raw = this.raw(of, span)
    const cnt = total(raw.map((sample) => sample.cnt))
    const sum = total(raw.map((sample) => sample.mean * sample.cnt))
    return {
      timeMs: span.startMs,
      actual: this.actual(of, span),
      avg: sum / cnt,
      min: Math.min(...raw.map(({ min }) => min)),
      max: Math.max(...raw.map(({ max }) => max)),
      cnt,
      sum,
    }
  }

  /** PT5M: the average; above: the average of the PT5M actuals below. */
  private actual(of: SeriesName, span: Span): number {
    if (span.endMs - span.startMs > cycleMs) {
      const actuals = this.buckets(of, "PT5M", span).map(({ actual }) => actual)
      return total(actuals) / actuals.length
    }
    const raw = this.raw(of, span)
    return total(raw.map(({ mean, cnt }) => mean * cnt)) / total(raw.map(({ cnt }) => cnt))
  }
}

/** Linear interpolation at position (n + 1) · p, clamped to the ends (spec/statistics §3). */
export function naivePercentile(sorted: readonly number[], p: number): number {
  const position = Math.min(Math.max((sorted.length + 1) * p, 1), sorted.length)
  const below = sorted[Math.floor(position) - 1]!
  const above = sorted[Math.ceil(position) - 1]!
  return below + (above - below) * (position - Math.floor(position))
}

export function statisticsOfNumbers(numbers: readonly number[]): Statistics {
  const sorted = [...numbers].sort((left, right) => left - right)
  const sum = total(numbers)
  const avg = sum / numbers.length
  const squares = total(numbers.map((number) => (number - avg) ** 2))
  return {
    avg,
    min: sorted[0]!,
    median: naivePercentile(sorted, 0.5),
    max: sorted.at(-1)!,
    percentile5: naivePercentile(sorted, 0.05),
    percentile25: naivePercentile(sorted, 0.25),
    percentile75: naivePercentile(sorted, 0.75),
    percentile95: naivePercentile(sorted, 0.95),
    count: numbers.length,
    sum,
    stddev: numbers.length < 2 ? 0 : Math.sqrt(squares / (numbers.length - 1)),
  }
}

function observations({ timeMs, sent }: Sample): Observations {
  const cnt = sent.cnt ?? 1
  const mean = meanOf(sent, cnt)
  return { timeMs, mean, cnt, min: sent.min ?? mean, max: sent.max ?? mean }
}

/** The forms that spec/samples §4 spells out: a sum, else an average, else a value. */
function meanOf(sent: SentFields, cnt: number): number {
  return sent.sum === undefined ? (sent.avg ?? sent.val)! : sent.sum / cnt
}

function sameSample(left: Sample, right: Sample): boolean {
  return (
    JSON.stringify(left.of) === JSON.stringify(right.of) &&
    left.timeMs === right.timeMs &&
    JSON.stringify(Object.entries(left.sent).sort()) ===
      JSON.stringify(Object.entries(right.sent).sort())
  )
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
