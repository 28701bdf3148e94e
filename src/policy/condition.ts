/**
 * Conditions: what a policy looks for in a cycle (spec/policies §3).
 *
 *   a condition holds where it holds for one of its metrics
 *     metrics    the one that is named, or all whose FQN the wildcard is found in;
 *                of these, the ones that have every tag of `metricScopeTags`
 *     actual              the value compares with the threshold
 *     baselineDeviation   the value lies above, below, outside or inside of the band
 *     contextualDeviation likewise
 *     suddenDeviation     the change in percent compares with the threshold
 *     threshold  `metricThresholdLevel`, a metric of the same element, else `level`
 *
 * What is missing never holds, whatever the operator: neither `!=` nor `undefined`. `level2` has no
 * operator that would use it, and neither has a deviation's `level`.
 */

import type { NameValue } from "../model/element.ts"
import type { Analytic, Operator, PolicyCondition } from "../model/records/policy.ts"
import { deviationOf } from "../model/band.ts"
import type { ElementCycle } from "./element-cycle.ts"
import { containsPattern } from "./memoize-match.ts"

/** A condition made ready to be asked many times. Its expressions were judged when it was stored. */
export class ConditionMatcher {
  readonly condition: PolicyCondition
  private readonly selectsMetric: ((fqn: string) => boolean) | null
  private readonly tags: readonly NameValue[]

  constructor(condition: PolicyCondition) {
    this.condition = condition
    this.selectsMetric = condition.wildcard === null ? null : containsPattern(condition.wildcard)
    const tags = Object.entries(condition.metricScopeTags)
    this.tags = tags.map(([name, value]) => ({ name: lowerCased(name), value: lowerCased(value) }))
  }

  /** Whether it holds for some metric. */
  matches(cycle: ElementCycle, back: number): boolean {
    return this.metricIndexes(cycle).some((place) => this.matchesFor(place, cycle, back))
  }

  /** The metrics that it is about. */
  metricIndexes(cycle: ElementCycle): number[] {
    const { metric } = this.condition
    if (this.selectsMetric === null) {
      const place = metric === null ? -1 : cycle.indexOf(metric)
      return place >= 0 && this.hasTags(place, cycle) ? [place] : []
    }
    const places: number[] = []
    cycle.metricFqns.forEach((fqn, place) => {
      if (this.selectsMetric!(fqn) && this.hasTags(place, cycle)) places.push(place)
    })
    return places
  }

  matchesFor(place: number, cycle: ElementCycle, back: number): boolean {
    const { analytic, operator } = this.condition
    if (analytic === "actual" || analytic === "suddenDeviation") {
      const value = valueOf(analytic, { place, cycle, back })
      return compare(value, operator, this.threshold(cycle, back))
    }
    const band = bandOf(analytic, { place, cycle, back })
    const value = cycle.actual(place, back)
    if (band === null || Number.isNaN(value + band.mean + band.stddev)) return false
    return isOutside(operator, deviationOf(value, band))
  }

  /** What a value is compared with; NaN where the other metric has none. */
  threshold(cycle: ElementCycle, back: number): number {
    const { level, metricThresholdLevel, metricThresholdAnalytic } = this.condition
    if (!metricThresholdLevel) return level ?? NaN
    const place = cycle.indexOf(metricThresholdLevel)
    if (place < 0) return NaN
    return valueOf(metricThresholdAnalytic ?? "actual", { place, cycle, back })
  }

  private hasTags(place: number, cycle: ElementCycle): boolean {
    if (this.tags.length === 0) return true
    const known = cycle.tagsOf(place)
    return this.tags.every(({ name, value }) =>
      known.some((tag) => lowerCased(tag.name) === name && lowerCased(tag.value) === value),
    )
  }
}

interface MetricCycle {
  readonly place: number
  readonly cycle: ElementCycle
  readonly back: number
}

/** The number that an analytic has in a cycle: a band's is its mean. NaN where there is none. */
export function valueOf(analytic: Analytic, moment: MetricCycle): number {
  const { place, cycle, back } = moment
  if (analytic === "actual") return cycle.actual(place, back)
  if (analytic === "suddenDeviation") return cycle.sudden(place, back)?.percent ?? NaN
  return bandOf(analytic, moment)?.mean ?? NaN
}

function bandOf(analytic: Analytic, { place, cycle, back }: MetricCycle) {
  return analytic === "baselineDeviation"
    ? cycle.baseline(place, back)
    : cycle.contextual(place, back)
}

/** False where either is NaN. */
export function compare(value: number, operator: Operator, threshold: number): boolean {
  if (Number.isNaN(value) || Number.isNaN(threshold)) return false
  if (operator === ">") return value > threshold
  if (operator === ">=") return value >= threshold
  if (operator === "<") return value < threshold
  if (operator === "<=") return value <= threshold
  if (operator === "==") return value === threshold
  return operator === "!=" && value !== threshold
}

function isOutside(operator: Operator, way: ReturnType<typeof deviationOf>): boolean {
  if (operator === ">") return way === "upper"
  if (operator === "<") return way === "lower"
  return (operator === "defined") === (way !== undefined)
}

/** Texts are compared in either case, as everywhere in policies. */
function lowerCased(text: string): string {
  return text.toLowerCase()
}
