/** Elements' cycles for tests: a few metrics, each a row of values; the last one is the current. */

import type { Band } from "../../src/model/band.ts"
import type { NameValue } from "../../src/model/element.ts"
import { defaultPolicy, type PolicyCondition } from "../../src/model/records/policy.ts"
import type { ElementCycle } from "../../src/policy/element-cycle.ts"
import { PolicyMatcher, type KnownPolicy } from "../../src/policy/policy-matcher.ts"

export interface MetricRow {
  readonly fqn: string
  readonly tags?: readonly NameValue[]
  readonly unit?: string
  /** Actual values, the current one last. */
  readonly values: readonly number[]
  /** Bands of every cycle. */
  readonly baseline?: Band
  readonly contextual?: Band
  readonly suddenPercent?: number
}

export function cycleOf(...rows: readonly MetricRow[]): ElementCycle {
  const fqns = rows.map(({ fqn }) => fqn)
  return {
    metricFqns: fqns,
    indexOf: (fqn) => fqns.indexOf(fqn),
    tagsOf: (place) => rows[place]!.tags ?? [],
    unitOf: (place) => rows[place]!.unit ?? "",
    actual: (place, back) => rows[place]!.values.at(-1 - back) ?? NaN,
    baseline: (place) => rows[place]!.baseline ?? null,
    contextual: (place) => rows[place]!.contextual ?? null,
    sudden(place) {
      const percent = rows[place]!.suddenPercent
      return percent === undefined ? null : { percent }
    },
  }
}

export function conditionOf(given: Partial<PolicyCondition>): PolicyCondition {
  return {
    metric: given.wildcard === undefined ? "cpu.total" : null,
    wildcard: null,
    metricScopeTags: {},
    analytic: "actual",
    operator: ">",
    level: null,
    level2: null,
    metricThresholdLevel: null,
    metricThresholdAnalytic: null,
    ...given,
  }
}

export function policyOf(given: Partial<KnownPolicy>): KnownPolicy {
  return {
    id: "00000000-0000-4000-8000-000000000001",
    ...defaultPolicy,
    name: "High CPU",
    ...given,
  }
}

export function matcherOf(given: Partial<KnownPolicy>): PolicyMatcher {
  return new PolicyMatcher(policyOf(given))
}
