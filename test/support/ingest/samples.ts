/**
 * Builders of samples as collectors send them, by name instead of by index, so that several stores
 * and the naive model can be given the same workload.
 *
 *   Sample ── SampleRequest ── group of requests ──columnsOf()──► SampleBatchBuilder ──► append
 */

import type { Catalogue } from "../../../src/catalogue/catalogue.ts"
import type { MetricPatch } from "../../../src/model/element.ts"
import { cycleMs, dayMs, hourMs } from "../../../src/model/resolution.ts"
import type { SampleField } from "../../../src/model/sample-batch.ts"
import { SampleBatchBuilder, fieldCount, sampleFields } from "../../../src/model/sample-batch.ts"
import { sampleMean } from "../../../src/rollup/contribution.ts"
import type { WriteStore } from "../../../src/store/store.ts"

/** Names of one series; a metric of an element of a tenant. */
export interface SeriesName {
  readonly tenant: number
  readonly element: string
  readonly metric: string
}

export type SentFields = Readonly<Partial<Record<SampleField, number>>>

export interface Sample {
  readonly of: SeriesName
  readonly timeMs: number
  /** `val` alone is a plain value; anything else is a sample that the client aggregated. */
  readonly sent: SentFields
}

/** Samples that came in one request: a multiset (spec/samples §1). */
export type SampleRequest = readonly Sample[]

/** "Now" of most tests: a Wednesday noon, so that days, hours and cycles begin at round numbers. */
export const noonMs = Date.UTC(2026, 10, 18, 12)

export function seriesName(element: string, metric: string, tenant = 0): SeriesName {
  return { tenant, element, metric }
}

/** The series of most tests. */
export const cpu = seriesName("host-1", "cpu.total")

export function plain(timeMs: number, val: number, of: SeriesName = cpu): Sample {
  return { of, timeMs, sent: { val } }
}

export function aggregated(timeMs: number, sent: SentFields, of: SeriesName = cpu): Sample {
  return { of, timeMs, sent }
}

/** Index of a series, added to the catalogue if it is new. */
export function upsertSeries(catalogue: Catalogue, of: SeriesName, say: MetricPatch = {}): number {
  const element = catalogue.upsertElement(of.tenant, of.element, { nowMs: noonMs })
  return catalogue.upsertSeries(element, of.metric, say)
}

/** Index of a series in a catalogue or replica, or -1. */
export function findSeries(catalogue: Catalogue, of: SeriesName): number {
  const element = catalogue.findElement(of.tenant, of.element)
  const name = catalogue.findName(of.tenant, of.metric)
  return element < 0 || name < 0 ? -1 : catalogue.findSeries(element, name)
}

/** Columns of a group of requests; adds what the catalogue does not know. */
export function columnsOf(
  catalogue: Catalogue,
  requests: readonly SampleRequest[],
  columns = new SampleBatchBuilder(),
): SampleBatchBuilder {
  for (const request of requests) {
    columns.startRequest()
    for (const sample of request) pushSample(columns, upsertSeries(catalogue, sample.of), sample)
  }
  return columns
}

/** Stores the requests as one group. */
export function append(store: WriteStore, ...requests: SampleRequest[]): void {
  store.append({ columns: columnsOf(store.catalogue, requests) })
}

export function isPlain(sent: SentFields): boolean {
  return sent.val !== undefined && Object.values(sent).filter((v) => v !== undefined).length === 1
}

function pushSample(columns: SampleBatchBuilder, series: number, { timeMs, sent }: Sample): void {
  if (isPlain(sent)) {
    columns.push(series, timeMs, sent.val!)
    return
  }
  const fields = new Float64Array(fieldCount)
  let mask = 0
  sampleFields.forEach((field, bit) => {
    const value = sent[field]
    if (value === undefined) return
    fields[bit] = value
    mask |= 1 << bit
  })
  columns.pushAggregate(series, timeMs, sampleMean(mask, fields), mask, fields)
}

/** Random numbers in [0, 1) that a seed repeats (mulberry32, by Tommy Ettinger, public domain). */
export function seededNumbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The same things in an order that the seed repeats. */
export function shuffled<T>(things: readonly T[], seed: number): T[] {
  const random = seededNumbers(seed)
  const order = [...things]
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[order[last], order[other]] = [order[other]!, order[last]!]
  }
  return order
}

/** One request a step, as a collector sends them: every series once, values by `shape`. */
export function steadyRequests(plan: {
  readonly of: readonly SeriesName[]
  readonly fromMs: number
  readonly toMs: number
  readonly stepMs: number
  readonly seed?: number
  readonly shape?: Shape
}): SampleRequest[] {
  const random = seededNumbers(plan.seed ?? 1)
  const shape = plan.shape ?? "gauge"
  const requests: SampleRequest[] = []
  for (let timeMs = plan.fromMs; timeMs < plan.toMs; timeMs += plan.stepMs) {
    requests.push(plan.of.map((of) => plain(timeMs, shapes[shape](random, timeMs), of)))
  }
  return requests
}

/** Populations on which digests and sums are judged (spec/statistics §3). */
export type Shape = "gauge" | "smooth" | "heavyTailed" | "bimodal" | "constant" | "sorted"
export const shapes: Readonly<Record<Shape, (random: () => number, timeMs: number) => number>> = {
  gauge: (random) => Math.round(random() * 10_000) / 100,
  smooth: (random, timeMs) => 50 + 40 * Math.sin(timeMs / hourMs) + random(),
  heavyTailed: (random) => 1 / (1 - random()) ** 2,
  bimodal: (random) => (random() < 0.3 ? 10 + random() : 1000 + 50 * random()),
  constant: () => 42.1,
  sorted: (_random, timeMs) => (timeMs - noonMs) / 1000,
}

export const startOfDayMs = noonMs - (noonMs % dayMs)
export const startOfHourMs = noonMs - (noonMs % hourMs)
export const startOfCycleMs = noonMs - (noonMs % cycleMs)
