/**
 * Conditions of a policy on the cycle of an element (spec/policies §3).
 *
 *   a condition matches if it matches for one of its metrics
 *     metrics    the named one, or all in whose FQN the wildcard matches;
 *                of these, the ones that have every tag of `metricScopeTags`
 *     actual              the value compares with the threshold
 *     baselineDeviation   the value is above, below, outside or inside of the band
 *     contextualDeviation likewise
 *     suddenDeviation     the change in percent compares with the threshold
 *     threshold  `metricThresholdLevel`, a metric of the same element, else `level`
 *
 * A missing value never matches, whatever the operator: neither `!=` nor `undefined`. No operator
 * uses `level2`, nor the `level` of a deviation.
 */

import type { NameValue } from "../model/element.ts"
import type { Analytic, Operator, PolicyCondition } from "../model/records/policy.ts"
import { deviationOf } from "../model/band.ts"
import type { ElementCycle } from "./element-cycle.ts"
import { containsPattern } from "./memoize-match.ts"

/** A compiled condition. Its expressions were validated when it was stored. */
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

  /** Whether the condition matches for some metric of those that it selects. */
  matches(cycle: ElementCycle, back: number, indexes = this.metricIndexes(cycle)): boolean {
    for (const index of indexes) if (this.matchesFor(index, cycle, back)) return true
    return false
  }

  /** Indexes of the metrics that the condition selects. */
  metricIndexes(cycle: ElementCycle): readonly number[] {
    const { metric } = this.condition
    if (this.selectsMetric === null) {
      const index = metric === null ? -1 : cycle.indexOf(metric)
      return index >= 0 && this.hasTags(index, cycle) ? [index] : []
    }
    const indexes: number[] = []
    cycle.metricFqns.forEach((fqn, index) => {
      if (this.selectsMetric!(fqn) && this.hasTags(index, cycle)) indexes.push(index)
    })
    return indexes
  }

  matchesFor(index: number, cycle: ElementCycle, back: number): boolean {
    const { analytic, operator } = this.condition
    if (analytic === "actual" || analytic === "suddenDeviation") {
      const value = valueOf(analytic, { index, cycle, back })
      return compareToThreshold(value, operator, this.threshold(cycle, back))
    }
    const band = bandOf(analytic, { index, cycle, back })
    const value = cycle.actual(index, back)
    if (band === null || Number.isNaN(value + band.mean + band.stddev)) return false
    return isOutside(operator, deviationOf(value, band))
  }

  /** The number that values are compared with; NaN if the threshold metric has no value. */
  threshold(cycle: ElementCycle, back: number): number {
    const { level, metricThresholdLevel, metricThresholdAnalytic } = this.condition
    if (!metricThresholdLevel) return level ?? NaN
    const index = cycle.indexOf(metricThresholdLevel)
    if (index < 0) return NaN
    return valueOf(metricThresholdAnalytic ?? "actual", { index, cycle, back })
  }

  private hasTags(index: number, cycle: ElementCycle): boolean {
    if (this.tags.length === 0) return true
    const known = cycle.tagsOf(index)
    return this.tags.every(({ name, value }) =>
      known.some((tag) => lowerCased(tag.name) === name && lowerCased(tag.value) === value),
    )
  }
}

interface MetricCycle {
  readonly index: number
  readonly cycle: ElementCycle
  readonly back: number
}

/** The value of an analytic in a cycle; for a band its mean. NaN if there is none. */
export function valueOf(analytic: Analytic, moment: MetricCycle): number {
  const { index, cycle, back } = moment
  if (analytic === "actual") return cycle.actual(index, back)
  if (analytic === "suddenDeviation") return cycle.sudden(index, back)?.percent ?? NaN
  return bandOf(analytic, moment)?.mean ?? NaN
}

/** The band of a deviation; null if there is none. */
export function bandOf(analytic: Analytic, { index, cycle, back }: MetricCycle) {
  return analytic === "baselineDeviation"
    ? cycle.baseline(index, back)
    : cycle.contextual(index, back)
}

/** False if either is NaN. */
export function compareToThreshold(value: number, operator: Operator, threshold: number): boolean {
  if (Number.isNaN(value) || Number.isNaN(threshold)) return false
  if (operator === ">") return value > threshold
  if (operator === ">=") return value >= threshold
  if (operator === "<") return value < threshold
  if (operator === "<=") return value <= threshold
  if (operator === "==") return value === threshold
  return operator === "!=" && value !== threshold
}

function isOutside(operator: Operator, deviation: ReturnType<typeof deviationOf>): boolean {
  if (operator === ">") return deviation === "upper"
  if (operator === "<") return deviation === "lower"
  return (operator === "defined") === (deviation !== undefined)
}

/** Policies compare texts ignoring case. */
function lowerCased(text: string): string {
  return text.toLowerCase()
}
