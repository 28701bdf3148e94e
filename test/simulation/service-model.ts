/**
 * Model: the answers that a service must give, from arrays that keep everything. Its input is the
 * accepted samples and the cycle batches that were closed, in order; it knows no restart or clock.
 */

import { uuidV3 } from "../../src/base/uuid.ts"
import type { CycleSpan } from "../../src/model/closed-cycles.ts"
import { cycleMs, cyclesPerDay } from "../../src/model/resolution.ts"
import { compareToThreshold } from "../../src/policy/condition.ts"
import { countedOver } from "../support/store/counted-over.ts"
import * as plan from "./service-plan.ts"
import type { Closing, FoundEvent, FoundIncident, Memory, SentSample } from "./service-plan.ts"
import type { PlannedCondition, PlannedMetric, PlannedPolicy } from "./service-plan.ts"

const { computedFqn, fillingOf, inactiveCycles, metrics, percentFqn, policies, tenantUuid } = plan

export class ServiceModel {
  readonly events: FoundEvent[] = []
  readonly incidents: FoundIncident[] = []
  /** By element, metric and cycle. */
  private readonly samples = new Map<string, SentSample[]>()
  private firstCycle = Infinity
  /** Fillings and computed values, by metric and cycle. */
  private readonly synthetic = new Map<string, number>()
  private readonly memories = new Map<string, Memory>()
  /** Days of the samples of closed cycles that came for a metric since its last closing. */
  private readonly late = new Map<string, number[]>()
  private newestClosed = -Infinity
  private readonly policyIds: ReadonlyMap<string, string>

  constructor(policyIds: ReadonlyMap<string, string>) {
    this.policyIds = policyIds
  }

  /** A metric is known from its first mention on. */
  declare(element: string, metric: string): void {
    const key = `${element} ${metric}`
    const known = this.memories.get(key) ?? { isKnown: false, actuals: [], lastCycle: NaN }
    this.memories.set(key, known)
  }

  /** The same again changes nothing. */
  take(sample: SentSample): void {
    const { element, metric, timeMs, val } = sample
    const cycle = Math.floor(timeMs / cycleMs)
    const all = this.samples.get(`${element} ${metric} ${cycle}`) ?? []
    if (all.some((one) => one.timeMs === timeMs && one.val === val)) return
    const inOrder = [...all, sample].sort((a, b) => a.timeMs - b.timeMs || a.val - b.val)
    this.samples.set(`${element} ${metric} ${cycle}`, inOrder)
    this.firstCycle = Math.min(this.firstCycle, cycle)
    if (cycle > this.newestClosed) return
    const key = `${element} ${metric}`
    this.late.set(key, [...(this.late.get(key) ?? []), Math.floor(cycle / cyclesPerDay)])
  }

  close(closing: Closing): void {
    this.newestClosed = Math.max(this.newestClosed, closing.cycle)
    for (const element of closing.elements) {
      const current = this.closeElement(element, closing)
      for (const policy of policies) {
        const isViolated = current !== null && this.isViolated(policy, element, closing, current)
        if (isViolated || !isUnwatched(closing)) this.find(policy, element, isViolated, closing)
      }
    }
  }

  /** The clock was set back: later cycles than this one close again. */
  reopen(newestClosed: number): void {
    this.newestClosed = newestClosed
  }

  /** Of a metric as of now; NaN if it has none. */
  actual(element: string, metric: string, cycle: number): number {
    const planned = metrics.find(({ fqn }) => fqn === metric)
    const values = this.values(element, metric, cycle)
    if (planned === undefined || values.length === 0) {
      return this.synthetic.get(`${element} ${metric} ${cycle}`) ?? NaN
    }
    const sum = values.reduce((total, val) => total + val, 0)
    if (planned.actual === "sum") return sum
    if (planned.actual === "average") return sum / values.length
    for (let at = cycle - 1; at >= this.firstCycle; at--) {
      const before = this.values(element, metric, at).at(-1)
      if (before !== undefined) return countedOver([before, ...values])
    }
    return NaN
  }

  isFilled(element: string, metric: string, cycle: number): boolean {
    const hasFact = this.synthetic.has(`${element} ${metric} ${cycle}`)
    return hasFact && this.values(element, metric, cycle).length === 0
  }

  /** Returns the values of the cycle by metric, as policies see them; null if it has none. */
  private closeElement(element: string, closing: Closing): Map<string, number> | null {
    const { cycle, isMissed } = closing
    const known = metrics.filter(({ fqn }) => this.memories.has(`${element} ${fqn}`))
    const memory = ({ fqn }: PlannedMetric): Memory => this.memories.get(`${element} ${fqn}`)!
    let hasReread = false
    for (const one of known) {
      const isLate = this.takeLate(`${element} ${one.fqn}`, Math.floor(cycle / cyclesPerDay))
      const hasPast = one.sparse !== "None" && one.sparse !== "ReplaceWithZero"
      if (!isLate || !hasPast) continue
      this.reread(element, one, cycle)
      hasReread = true
    }
    const seen = known.filter(({ fqn }) => this.values(element, fqn, cycle).length > 0)
    for (const one of seen) memory(one).lastCycle = cycle
    const last = (one: PlannedMetric): number => memory(one).lastCycle
    const isActive = known.some((one) => distance(last(one), closing) < inactiveCycles)
    if (!isActive || (isUnwatched(closing) && seen.length === 0)) {
      // The history is stored if a part of it was read again, that of all metrics of the element.
      for (const one of known) if (hasReread) memory(one).isKnown = true
      return null
    }
    const current = new Map<string, number>()
    const set = (fqn: string, value: number): void => {
      this.synthetic.set(`${element} ${fqn} ${cycle}`, value)
      current.set(fqn, value)
    }
    for (const one of seen) {
      const actual = this.actual(element, one.fqn, cycle)
      if (Number.isNaN(actual)) continue
      memory(one).actuals.push(actual)
      current.set(one.fqn, actual)
    }
    const observed = new Map(current)
    const fill = (): void => {
      for (const one of known) {
        const isFilled = memory(one).isKnown && !(isMissed && isNaN(last(one)))
        const filling = fillingOf(one, memory(one).actuals)
        const isMissing = !seen.includes(one)
        if (isMissing && isFilled && Number.isFinite(filling)) set(one.fqn, filling!)
        memory(one).isKnown = true
      }
    }
    if (!isUnwatched(closing)) fill()
    const sum = (current.get("load") ?? NaN) + (current.get("zero") ?? NaN)
    if (!Number.isNaN(sum)) {
      set(computedFqn, sum)
      observed.set(computedFqn, sum)
    }
    if (isUnwatched(closing)) {
      fill()
      return observed
    }
    const collected = known.filter((one) => !Number.isNaN(last(one))).length
    set(percentFqn, (100 * seen.length) / collected)
    return current
  }

  /** Forgets late samples of a day and before, and returns whether there were any. */
  private takeLate(key: string, day: number): boolean {
    const days = this.late.get(key) ?? []
    const left = days.filter((one) => one > day)
    this.late.set(key, left)
    return left.length < days.length
  }

  /** Source values of a metric's gap filling, from all that is known of 90 days before a cycle. */
  private reread(element: string, { fqn }: PlannedMetric, cycle: number): void {
    const memory = this.memories.get(`${element} ${fqn}`)!
    const fillings: number[] = []
    const actuals: number[] = []
    for (let at = Math.max(this.firstCycle, cycle - 90 * cyclesPerDay); at < cycle; at++) {
      const actual = this.actual(element, fqn, at)
      if (Number.isNaN(actual)) continue
      if (this.values(element, fqn, at).length === 0) fillings.push(actual)
      else {
        actuals.push(actual)
        if (!(memory.lastCycle >= at)) memory.lastCycle = at
      }
    }
    if (fillings.length + actuals.length === 0) return
    const last = actuals.length === 0 ? memory.actuals.slice(-1) : []
    memory.actuals.splice(0, memory.actuals.length, ...fillings, ...last, ...actuals)
  }

  private isViolated(
    policy: PlannedPolicy,
    element: string,
    closing: Closing,
    current: ReadonlyMap<string, number>,
  ): boolean {
    const { duration, anyCondition, conditions } = policy
    let at = closing.cycle
    for (let left = duration / 300; left > 0; left--) {
      const valueOf = (fqn: string): number =>
        at === closing.cycle ? (current.get(fqn) ?? NaN) : this.actual(element, fqn, at)
      const held = conditions.filter((one) => holds(one, valueOf)).length
      if (held < (anyCondition ? 1 : conditions.length)) return false
      do at--
      while (isIn(closing.unwatched, at))
    }
    return true
  }

  private find(
    policy: PlannedPolicy,
    element: string,
    isViolated: boolean,
    closing: Closing,
  ): void {
    const { cycle, closingMs } = closing
    const id = this.policyIds.get(policy.name)!
    const open = this.incidents.find(
      (one) => one.policy === id && one.element === element && one.closedMs === null,
    )
    if (!isViolated) return void (open && (open.closedMs = closingMs))
    const timeMs = cycle * cycleMs
    const eventId = uuidV3(tenantUuid, ["finding", id, element, "cycle", timeMs].join("\0"))
    if (open?.eventIds.includes(eventId)) return
    const about = { policy: id, element, timeMs }
    // A cycle that closes again finds the same.
    const known = this.events.find((one) => one.id === eventId)
    if (known === undefined) this.events.push({ ...about, id: eventId, processedMs: closingMs })
    else known.processedMs = closingMs
    if (open === undefined) {
      const opened = { ...about, lastFiredMs: timeMs, closedMs: null, eventIds: [eventId] }
      const incidentId = uuidV3(eventId, "incident")
      const before = this.incidents.findIndex((one) => one.id === incidentId)
      if (before >= 0) this.incidents.splice(before, 1)
      this.incidents.push({ ...opened, id: incidentId })
    } else {
      open.lastFiredMs = Math.max(open.lastFiredMs, timeMs)
      open.eventIds = [...open.eventIds, eventId].slice(-288)
    }
  }

  /** Values of a cycle in order of time. */
  private values(element: string, metric: string, cycle: number): number[] {
    return (this.samples.get(`${element} ${metric} ${cycle}`) ?? []).map(({ val }) => val)
  }
}

function holds(condition: PlannedCondition, valueOf: (fqn: string) => number): boolean {
  const { metric, wildcard, operator, level, metricThresholdLevel: other } = condition
  const meant = metrics.filter(({ fqn }) => wildcard && new RegExp(wildcard).test(fqn))
  const threshold = other === undefined ? level! : valueOf(other)
  const fqns = metric === undefined ? meant.map(({ fqn }) => fqn) : [metric]
  return fqns.some((fqn) => compareToThreshold(valueOf(fqn), operator, threshold))
}

function isIn(spans: readonly CycleSpan[], cycle: number): boolean {
  return spans.some(({ from, to }) => from <= cycle && cycle < to)
}

function isUnwatched({ cycle, unwatched }: Closing): boolean {
  return isIn(unwatched, cycle)
}

/** Cycles since the last one with a sample, as far as they were watched; in either direction. */
function distance(last: number, { cycle, unwatched }: Closing): number {
  const passed = Math.abs(cycle - last)
  if (!(passed >= inactiveCycles)) return passed
  let missed = 0
  for (let at = last + 1; at < cycle; at++) if (isIn(unwatched, at)) missed++
  return passed - missed
}
