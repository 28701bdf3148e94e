/**
 * The fleet's data, a cycle after the other: one sample a metric and cycle, the same in every run.
 *
 *   day      1 … 4          5                      8  │  9
 *   shop-02                                           │  10:00 slow ─ 10:30 silent ─ 11:00 back
 *   shop-03                 03:00 counters restart    │
 *                           what is normal is learned │
 */

import { assert } from "../../src/base/assert.ts"
import { cycleMs, dayMs } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import { dailyLoad } from "./demo-day.ts"
import { errors, fleetMetrics, latency, cpu, jobsFailed, requests } from "./fleet-metrics.ts"
import type { FleetMetric } from "./fleet-metrics.ts"

export interface FleetPlan {
  readonly elements: number
  readonly metrics: number
  /** Start of the first day. */
  readonly firstDayMs: number
  /** By default the one of `incidentOf`. */
  readonly incidents?: readonly FleetIncident[]
}

/** Cycles `[from, to)`. */
export interface CycleRange {
  readonly from: number
  readonly to: number
}

/** The incidents of the fleet, in cycles since 1970. */
export interface FleetIncident {
  readonly element: string
  /** Number of the element. */
  readonly index: number
  /** Slow, busy and with errors. */
  readonly slow: CycleRange
  /** Nothing is sent. */
  readonly silent: CycleRange
}

export const troubledElement = 1
/** Its process is restarted on a quiet night. */
export const restartedElement = 2
/** The two above and one to compare with. */
export const fleetElementsMin = 3
/** A week is learned, and then a day is watched. */
export const incidentDay = 9

export function elementName(index: number): string {
  return `shop-${String(index + 1).padStart(2, "0")}`
}

export function incidentOf(firstDayMs: number): FleetIncident {
  const at = (hours: number) =>
    (firstDayMs + (incidentDay - 1) * dayMs + hours * 3_600_000) / cycleMs
  return {
    element: elementName(troubledElement),
    index: troubledElement,
    slow: { from: at(10), to: at(10.5) },
    silent: { from: at(10.5), to: at(11) },
  }
}

/** The first cycle after the restart on the fifth day. */
export function restartOf(firstDayMs: number): number {
  return (firstDayMs + 4 * dayMs + 3 * 3_600_000) / cycleMs
}

/** The samples that were sent, for comparison with the server's answers. */
export interface FleetLedger {
  /** Increases of the restarted element's requests, by cycle; the first cycle has none. */
  readonly increases: Map<number, number>
  /** Cycles in which the first element sent `jobs.failed`. */
  readonly jobs: Set<number>
}

/** A minute into its cycle, so that clocks that differ a little do no harm. */
const offsetMs = 60_000
/** A rare metric is sent in about this percentage of cycles. */
const rarePercent = 15

export class Fleet {
  private readonly ledger: FleetLedger = { increases: new Map(), jobs: new Set() }
  private readonly plan: FleetPlan
  private readonly metrics: readonly FleetMetric[]
  private readonly definitions: readonly Readonly<Record<string, string>>[]
  private readonly incidents: readonly FleetIncident[]
  private readonly restart: number
  /** Totals of counters: a row an element, a column a metric. */
  private readonly totals: Float64Array
  private next: number | null = null

  constructor(plan: FleetPlan) {
    this.plan = plan
    this.metrics = fleetMetrics.slice(0, plan.metrics)
    this.definitions = this.metrics.map(definitionOf)
    this.incidents = plan.incidents ?? [incidentOf(plan.firstDayMs)]
    this.restart = restartOf(plan.firstDayMs)
    this.totals = new Float64Array(plan.elements * plan.metrics)
  }

  /** The body of a post with all samples of these cycles; each cycle once, in order of time. */
  body({ from, to }: CycleRange): string {
    assert(this.next === null || this.next === from, "Expected the cycle after the last one")
    const isFirst = this.next === null
    this.next = to
    const elements = Array.from({ length: this.plan.elements }, (_, element) => ({
      id: elementName(element),
      name: elementName(element),
      type: "SERVER",
      location: "demo",
      tags: [{ name: "fleet", value: "demo" }],
      metrics: this.definitions,
      samples: this.samples(element, { from, to }, isFirst),
    }))
    return JSON.stringify(elements)
  }

  /** The samples sent within a span. */
  ledgerOf({ startMs, endMs }: Span): FleetLedger {
    const isWithin = (cycle: number) => cycle * cycleMs >= startMs && cycle * cycleMs < endMs
    const { increases, jobs } = this.ledger
    return {
      increases: new Map([...increases].filter(([cycle]) => isWithin(cycle))),
      jobs: new Set([...jobs].filter(isWithin)),
    }
  }

  private samples(element: number, { from, to }: CycleRange, isFirst: boolean): object[] {
    const samples: object[] = []
    for (let cycle = from; cycle < to; cycle++) {
      if (this.isTroubled(element, cycle, "silent")) continue
      if (this.isStart(element, cycle)) this.resetTotals(element)
      const isNew = isFirst && cycle === from
      for (const [i, metric] of this.metrics.entries()) {
        const val = this.value({ element, metric, i, cycle, isNew })
        if (val === null) continue
        samples.push({ metricId: metric.id, timestamp: cycle * cycleMs + offsetMs, val })
      }
    }
    return samples
  }

  private value(at: SampleContext): number | null {
    const { element, metric, i, cycle, isNew } = at
    if (metric.kind === "heartbeat") return 1
    const chance = chanceOf(element, i, cycle)
    if (metric.kind === "rare") return this.rareValue(at, chance)
    const level = this.level(at, chance)
    if (metric.kind === "gauge") return Math.min(metric.max, Math.round(level * 100) / 100)
    const place = element * this.plan.metrics + i
    const increase = Math.max(0, Math.round(level))
    this.totals[place]! += increase
    if (metric.id === requests && element === restartedElement && !isNew) {
      this.ledger.increases.set(cycle, increase)
    }
    return this.totals[place]!
  }

  /** Failures, in few cycles; the first cycle has some for all, so that all have the metric. */
  private rareValue(
    { element, metric, cycle, isNew }: SampleContext,
    chance: number,
  ): number | null {
    if (!isNew && (chance + 1) * 50 >= rarePercent) return null
    if (metric.id === jobsFailed && element === 0) this.ledger.jobs.add(cycle)
    return 1 + (cycle % 3)
  }

  private level({ element, metric, cycle }: SampleContext, chance: number): number {
    const minute = ((cycle * cycleMs) % dayMs) / 60_000
    const size = 0.8 + 0.4 * ((element * 0.618) % 1)
    const usual =
      metric.base * size * (1 + metric.daily * dailyLoad(minute) + metric.noise * chance)
    if (!this.isTroubled(element, cycle, "slow")) return usual
    if (metric.id === cpu) return 96 + chance
    if (metric.id === latency) return usual * 15
    return metric.id === errors ? usual + 500 : usual
  }

  private isTroubled(element: number, cycle: number, how: "slow" | "silent"): boolean {
    return this.incidents.some((incident) => {
      const { from, to } = incident[how]
      return element === incident.index && cycle >= from && cycle < to
    })
  }

  private isStart(element: number, cycle: number): boolean {
    if (element === restartedElement) return cycle === this.restart
    return this.incidents.some(({ index, silent }) => element === index && cycle === silent.to)
  }

  private resetTotals(element: number): void {
    const { metrics } = this.plan
    this.totals.fill(0, element * metrics, (element + 1) * metrics)
  }
}

interface SampleContext {
  readonly element: number
  readonly metric: FleetMetric
  /** Number of the metric. */
  readonly i: number
  readonly cycle: number
  /** The very first cycle. */
  readonly isNew: boolean
}

function definitionOf({ id, unit, kind }: FleetMetric): Readonly<Record<string, string>> {
  if (kind === "counter") return { id, unit, type: "COUNTER" }
  if (kind === "gauge") return { id, unit }
  return { id, unit, sparseDataStrategy: "ReplaceWithZero" }
}

/** From -1 to 1 and mostly near 0, by the mixing of MurmurHash3 (public domain). */
function chanceOf(element: number, metric: number, cycle: number): number {
  const seed = Math.imul(element * 64 + metric + 1, 0x9e3779b9) ^ Math.imul(cycle, 0x85ebca6b)
  const first = mixed(seed)
  return first / 2 ** 32 + mixed(first) / 2 ** 32 - 1
}

function mixed(value: number): number {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
