/**
 * One series of the reference store, and how its buckets follow from its samples:
 *
 *   kept    raw samples, each with its multiplicity ─► PT5M ─► PT1H ─► PT24H    computed on demand
 *   frozen  buckets of days without their finer values (spec/retention §1)        win over computed
 */

import { assert } from "../../../src/base/assert.ts"
import { bucketWidthMs, cycleMs, dayMs } from "../../../src/model/resolution.ts"
import type { BucketResolution, Resolution } from "../../../src/model/resolution.ts"
import { fieldCount } from "../../../src/model/sample-batch.ts"
import type { Span } from "../../../src/model/span.ts"
import { bucketStart } from "../../../src/rollup/bucket.ts"
import {
  CellColumns,
  computeCell,
  computeWeightedCell,
  copyCells,
  averageKind,
  isCounterKind,
  setSynthetic,
} from "../../../src/rollup/cell.ts"
import { Contributions } from "../../../src/rollup/contribution.ts"
import { applyCounter, counterLookbackDays } from "../../../src/rollup/counter.ts"
import { mergeCells, MergeWorkspace } from "../../../src/rollup/merge.ts"

const mergeWorkspace = new MergeWorkspace()

export interface RawSample {
  readonly timeMs: number
  /** The value, or the mean of an aggregated sample. */
  readonly value: number
  /** Which of the six fields a client's aggregate has; 0 for a plain value. */
  readonly mask: number
  /** Six fields in the order of `sampleFields`; empty for a plain value. */
  readonly fields: readonly number[]
}

/** Resolution whose values a bucket is a function of. */
const finer: Readonly<Record<BucketResolution, Resolution>> = {
  PT5M: "ZERO",
  PT1H: "PT5M",
  PT24H: "PT1H",
}

export class MemorySeries {
  /** The actual kind in force, by the catalogue as it is. */
  private readonly codeInForce: () => number
  /** By start of a closed cycle, the code that was in force when it was closed. */
  private readonly codes = new Map<number, number>()
  private readonly kept = new Map<string, { readonly sample: RawSample; times: number }>()
  private readonly frozen: Readonly<Record<BucketResolution, Map<number, CellColumns>>> = {
    PT5M: new Map(),
    PT1H: new Map(),
    PT24H: new Map(),
  }
  /** By start of their cycle, actual and flags of what closings wrote. */
  private readonly synthetic = new Map<
    number,
    { readonly actual: number; readonly flags: number }
  >()
  private sorted: readonly RawSample[] | undefined
  private readonly starts = new Map<BucketResolution, number[]>()
  private readonly computed = new Map<string, CellColumns | undefined>()

  constructor(codeInForce: () => number) {
    this.codeInForce = codeInForce
  }

  /** Records the definition of the cycles that end by `closedMs`, unless it is recorded already. */
  close(closedMs: number): void {
    const ended = { startMs: -Infinity, endMs: closedMs - cycleMs + 1 }
    const isNew = (startMs: number): boolean =>
      !this.codes.has(startMs) && this.cell("PT5M", startMs) !== undefined
    const starts = this.bucketStarts("PT5M", ended).filter(isNew)
    for (const startMs of starts) this.record(startMs, this.codeInForce())
  }

  /** Takes the union with the samples of one request: of each the larger multiplicity is kept. */
  addRequest(samples: readonly RawSample[]): void {
    const times = new Map<string, number>()
    for (const sample of samples) {
      const key = sampleKey(sample)
      times.set(key, (times.get(key) ?? 0) + 1)
      if (!this.kept.has(key)) this.kept.set(key, { sample, times: 0 })
    }
    for (const [key, count] of times) {
      const entry = this.kept.get(key)!
      entry.times = Math.max(entry.times, count)
    }
    this.clearComputed()
  }

  /** Takes a filling or a computed value if the cycle has no observation. */
  addSynthetic(startMs: number, fact: { readonly actual: number; readonly flags: number }): void {
    const cell = this.cell("PT5M", startMs)
    if ((cell?.count[0] ?? 0) > 0) return
    if (cell === undefined) this.record(startMs, this.codeInForce())
    this.synthetic.set(startMs, fact)
    this.clearComputed()
  }

  /** Records the actual kind of a cycle, if it has a cell. */
  define(startMs: number, definition: number): void {
    if (this.cell("PT5M", startMs) !== undefined) this.record(startMs, definition)
  }

  /** Raw samples in `span`, in canonical order, each as often as it was observed. */
  raw(span: Span): RawSample[] {
    this.sorted ??= [...this.kept.values()]
      .flatMap(({ sample, times }) => Array.from({ length: times }, () => sample))
      .sort(compareSamples)
    return within(this.sorted, span, timeOf)
  }

  /** Starts of the buckets that may hold something and begin in `span`, ascending. */
  bucketStarts(resolution: BucketResolution, span: Span): number[] {
    const starts = this.starts.get(resolution) ?? this.allStarts(resolution)
    this.starts.set(resolution, starts)
    return within(starts, span, (startMs) => startMs)
  }

  /**
   * The one cell of a bucket; undefined if it holds nothing. A view the caller must not change.
   */
  cell(resolution: BucketResolution, startMs: number): CellColumns | undefined {
    const frozen = this.frozen[resolution].get(startMs)
    if (frozen !== undefined) return frozen
    const key = `${resolution} ${startMs} ${this.codeInForce()}`
    if (!this.computed.has(key)) this.computed.set(key, this.compute(resolution, startMs))
    return this.computed.get(key)
  }

  /** Keeps the buckets that begin before `beforeMs` as they are, since their source is dropped. */
  freeze(resolution: BucketResolution, beforeMs: number): void {
    for (const startMs of this.bucketStarts(resolution, { ...allTime, endMs: beforeMs })) {
      const cell = this.cell(resolution, startMs)
      if (cell !== undefined) this.frozen[resolution].set(startMs, cell)
    }
  }

  /** Drops all that begins before `beforeMs`, a midnight; returns how many days held something. */
  drop(resolution: Resolution, beforeMs: number): number {
    const days = new Set<number>()
    const goes = (instantMs: number): boolean => {
      if (instantMs < beforeMs) days.add(bucketStart(instantMs, dayMs))
      return instantMs < beforeMs
    }
    if (resolution === "ZERO") {
      for (const [key, { sample }] of this.kept) if (goes(sample.timeMs)) this.kept.delete(key)
    } else {
      const cells = this.frozen[resolution]
      for (const startMs of cells.keys()) if (goes(startMs)) cells.delete(startMs)
      if (resolution === "PT5M") {
        for (const startMs of this.synthetic.keys())
          if (goes(startMs)) this.synthetic.delete(startMs)
        for (const startMs of this.codes.keys()) if (startMs < beforeMs) this.codes.delete(startMs)
      }
    }
    this.clearComputed()
    return days.size
  }

  private allStarts(resolution: BucketResolution): number[] {
    const below = finer[resolution]
    const instants =
      below === "ZERO"
        ? [...this.raw(allTime).map(timeOf), ...this.synthetic.keys()]
        : this.bucketStarts(below, allTime)
    const width = bucketWidthMs[resolution]
    const starts = instants.map((instantMs) => bucketStart(instantMs, width))
    return [...new Set([...starts, ...this.frozen[resolution].keys()])].sort((a, b) => a - b)
  }

  private compute(resolution: BucketResolution, startMs: number): CellColumns | undefined {
    const span = { startMs, endMs: startMs + bucketWidthMs[resolution] }
    const below = finer[resolution]
    return below === "ZERO" ? this.cycle(span) : this.merge(below, span)
  }

  /**
   * The PT5M cell of the samples, or else what a closing wrote. A counter's actual begins at the
   * last value of the cycle before that had one.
   */
  private cycle(span: Span): CellColumns | undefined {
    const code = this.codes.get(span.startMs) ?? this.codeInForce()
    const observed = cellOfSamples(this.raw(span), code)
    if (observed !== undefined) {
      if (isCounterKind(code)) applyCounter(observed, 0, this.lastBefore(span.startMs))
      return observed
    }
    const fact = this.synthetic.get(span.startMs)
    if (fact === undefined) return undefined
    const cell = new CellColumns(1)
    cell.actualKind[0] = code
    setSynthetic(cell, 0, fact.actual, fact.flags)
    return cell
  }

  private lastBefore(startMs: number): number | undefined {
    const reachMs = bucketStart(startMs, dayMs) - counterLookbackDays * dayMs
    const before = this.bucketStarts("PT5M", { startMs: reachMs, endMs: startMs })
    for (const start of before.reverse()) {
      const frozen = this.frozen.PT5M.get(start)
      const span = { startMs: start, endMs: start + cycleMs }
      const cell = frozen ?? cellOfSamples(this.raw(span), averageKind)
      if (cell !== undefined && cell.count[0]! > 0) return cell.last[0]!
    }
    return undefined
  }

  private merge(below: BucketResolution, span: Span): CellColumns | undefined {
    const parts = this.bucketStarts(below, span)
      .map((startMs) => this.cell(below, startMs))
      .filter((cell) => cell !== undefined)
    const columns = new CellColumns(parts.length)
    parts.forEach((part, at) => copyCells(part, 0, columns, at))
    const merged = new CellColumns(1)
    return mergeCells(columns, 0, parts.length, merged, 0, mergeWorkspace) ? merged : undefined
  }

  private record(startMs: number, code: number): void {
    this.codes.set(startMs, code)
    this.computed.clear()
  }

  private clearComputed(): void {
    this.sorted = undefined
    this.starts.clear()
    this.computed.clear()
  }
}

/** Those in `span` of items that ascend in time. */
function within<T>(items: readonly T[], span: Span, instantOf: (item: T) => number): T[] {
  const firstFrom = (ms: number): number => {
    let [from, to] = [0, items.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (instantOf(items[middle]!) < ms) from = middle + 1
      else to = middle
    }
    return from
  }
  return items.slice(firstFrom(span.startMs), firstFrom(span.endMs))
}

/** The contributions of the samples to their buckets, in their order. */
export function contributionsOf(samples: readonly RawSample[]): Contributions {
  const contributions = new Contributions()
  for (const { value, mask, fields } of samples) {
    if (mask === 0) contributions.pushValue(value)
    else contributions.pushSample(mask, fields)
  }
  return contributions
}

/** The PT5M cell of samples in canonical order; undefined if none of them counts. */
function cellOfSamples(samples: readonly RawSample[], code: number): CellColumns | undefined {
  if (samples.length === 0) return undefined
  const cell = new CellColumns(1)
  cell.actualKind[0] = code
  if (samples.every(({ mask }) => mask === 0)) {
    computeCell(Float64Array.from(samples, valueOf), 0, samples.length, cell, 0)
    return cell
  }
  const contributions = contributionsOf(samples)
  return computeWeightedCell(contributions, 0, samples.length, cell, 0) ? cell : undefined
}

/** Canonical order: time, then value with -0 before 0, plain before aggregated, mask, fields. */
function compareSamples(left: RawSample, right: RawSample): number {
  const byField = (difference: number, f: number): number =>
    difference || compareNumbers(left.fields[f]!, right.fields[f]!)
  return (
    left.timeMs - right.timeMs ||
    compareNumbers(left.value, right.value) ||
    left.mask - right.mask ||
    left.fields.reduce((difference, _, f) => byField(difference, f), 0)
  )
}

function compareNumbers(left: number, right: number): number {
  if (left !== right) return left < right ? -1 : 1
  return Number(Object.is(right, -0)) - Number(Object.is(left, -0))
}

/** Text that two samples share exactly if they are the same observation. */
function sampleKey({ timeMs, value, mask, fields }: RawSample): string {
  assert(mask === 0 || fields.length === fieldCount, `Expected six fields, got ${fields.length}`)
  const text = (number: number): string => (Object.is(number, -0) ? "-0" : String(number))
  return [timeMs, text(value), mask, ...fields.map(text)].join("|")
}

const allTime: Span = { startMs: -Infinity, endMs: Infinity }

function timeOf({ timeMs }: RawSample): number {
  return timeMs
}

function valueOf({ value }: RawSample): number {
  return value
}
