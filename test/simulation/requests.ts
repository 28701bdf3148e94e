/** Workload of the simulated collectors: few series, instants and values, so that much collides. */

import { cycleMs, dayMs, hourMs } from "../../src/model/resolution.ts"
import type { WriteStore } from "../../src/store/store.ts"
import {
  append,
  seriesName,
  shuffled,
  steadyRequests,
  upsertSeries,
} from "../support/ingest/samples.ts"
import type { Sample, SampleRequest, SentFields, SeriesName } from "../support/ingest/samples.ts"
import { SeededChoices } from "../support/run/seeded-choices.ts"

/** Three blocks of two tenants; the last two come later, so that names arrive all the time. */
export const allSeries: readonly SeriesName[] = [
  seriesName("host-1", "cpu.total"),
  seriesName("host-2", "cpu.total"),
  seriesName("host-1", "memory.used"),
  seriesName("host-1", "cpu.total", 1),
  seriesName("late", "cpu.total"),
]

/** Of one block with a metric that is none, and of one of its own. */
export function isCounter({ element, tenant }: SeriesName): boolean {
  return element === "host-2" || tenant === 1
}

/**
 * Stores requests as collectors send them: every request declares which metrics are counters, other
 * agents declare the same metrics as gauges, and every second request adds new names between those
 * that the oracle compares.
 */
export function appendCollected(store: WriteStore, requests: readonly SampleRequest[]): void {
  if (requests.flat().length % 2 === 0) {
    const { nameCount, elementCount } = store.catalogue
    upsertSeries(store.catalogue, seriesName("host-1", `new-${nameCount}`))
    upsertSeries(store.catalogue, seriesName(`new-${elementCount % 20}`, "cpu.total"))
  }
  for (const of of allSeries.filter(isCounter)) {
    upsertSeries(store.catalogue, of, { type: "COUNTER" })
    upsertSeries(store.catalogue, of, { type: "GAUGE" })
  }
  append(store, ...requests)
}

export class Collectors extends SeededChoices {
  readonly sent: SampleRequest[] = []

  /** One to three requests around `nowMs`, most of them recent, some late by days. */
  requests(nowMs: number): SampleRequest[] {
    const made = Array.from({ length: 1 + this.below(3) }, () => this.request(nowMs))
    this.sent.push(...made)
    return made
  }

  /** An agent's hour or two: every series once a minute, in one group. */
  steady(nowMs: number): SampleRequest[] {
    const fromMs = nowMs - this.below(70) * hourMs
    const plan = { fromMs, toMs: fromMs + (1 + this.below(30)) * 60_000, stepMs: 60_000 }
    const all = steadyRequests({ of: allSeries, ...plan, seed: this.below(1_000) })
    const made = all.map((request) => request.map(rounded))
    this.sent.push(...made)
    return made
  }

  /** Requests that were sent before, in another order of requests and of samples. */
  again(): SampleRequest[] {
    const from = this.below(this.sent.length)
    const some = this.sent.slice(from, from + 1 + this.below(4))
    return shuffled(some, this.below(1_000)).map((one) => shuffled(one, this.below(1_000)))
  }

  private request(nowMs: number): SampleRequest {
    const samples: Sample[] = []
    for (let left = 1 + this.below(6); left > 0; left--) {
      const sample = { of: this.pick(allSeries), timeMs: this.instant(nowMs), sent: this.fields() }
      for (let times = this.pick([1, 1, 1, 2, 3]); times > 0; times--) samples.push(sample)
    }
    return samples
  }

  private instant(nowMs: number): number {
    const cycle = nowMs - (nowMs % cycleMs)
    return this.pick([
      () => nowMs - this.below(10) * 1_000,
      () => cycle - this.below(4) * cycleMs + this.pick([0, 0, 1, cycleMs - 1]),
      () => nowMs - this.below(40) * hourMs,
      () => nowMs - (nowMs % dayMs) - this.pick([0, 1, dayMs, dayMs + 1]),
      () => nowMs - this.below(5 * dayMs),
    ])()
  }

  /** Eighths and powers of two: sums are exact in any order. */
  private fields(): SentFields {
    const val = this.chance(0.5) ? this.below(4) : this.below(8_000) / 8 - 500
    if (this.chance(0.8)) return { val }
    const cnt = this.pick([1, 2, 4])
    return { min: val - this.below(3), max: val + this.below(3), avg: val, cnt, sum: val * cnt }
  }
}

function rounded(sample: Sample): Sample {
  return { ...sample, sent: { val: Math.round(sample.sent.val! * 8) / 8 } }
}
