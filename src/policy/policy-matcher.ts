/** A compiled policy: its scope, its conditions, and for how many cycles these must match. */

import { assert } from "../base/assert.ts"
import type { Policy } from "../model/records/policy.ts"
import { ConditionMatcher } from "./condition.ts"
import type { ElementCycle } from "./element-cycle.ts"
import { EventMatcher } from "./event-condition.ts"
import { ScopeMatcher } from "./scope.ts"
import { describeResult } from "./describe-result.ts"
import type { PolicyResults } from "./violation.ts"

export type KnownPolicy = Policy & { readonly id: string }

/** Of each condition, the indexes of the metrics that it selects. */
export type MetricSelection = readonly (readonly number[])[]

const cycleSeconds = 300

export class PolicyMatcher {
  readonly policy: KnownPolicy
  readonly scope: ScopeMatcher
  /** Null if the policy has no conditions on external events. */
  readonly events: EventMatcher | null
  /** Consecutive cycles in which the conditions must match, this one included: 1 to 288. */
  readonly cycles: number
  readonly conditions: readonly ConditionMatcher[]

  constructor(policy: KnownPolicy) {
    this.policy = policy
    this.scope = new ScopeMatcher(policy.scope)
    this.events = policy.eventConditions.length === 0 ? null : new EventMatcher(policy)
    this.cycles = Math.max(1, Math.ceil(policy.duration / cycleSeconds))
    this.conditions = policy.conditions.map((condition) => new ConditionMatcher(condition))
    assert(Number.isInteger(this.cycles), `Expected a duration in seconds, got ${policy.duration}`)
  }

  /** Whether there are conditions on cycles: a policy may have only events or a check. */
  get hasConditions(): boolean {
    return this.conditions.length > 0
  }

  /** The metrics of its conditions, for callers that test many cycles of one element. */
  select(cycle: ElementCycle): MetricSelection {
    return this.conditions.map((condition) => condition.metricIndexes(cycle))
  }

  /** Whether its conditions match in one cycle: all of them, or any. */
  matches(cycle: ElementCycle, back = 0, selection?: MetricSelection): boolean {
    const { conditions } = this
    const { anyCondition } = this.policy
    if (conditions.length === 0) return false
    // A replay calls it ten million times, and a closure would take most of the time.
    for (let at = 0; at < conditions.length; at++) {
      const holds = conditions[at]!.matches(cycle, back, selection?.[at])
      if (holds === anyCondition) return anyCondition
    }
    return !anyCondition
  }

  /**
   * Whether the conditions match in this cycle and in as many before it as the duration requires.
   * Earlier cycles are read only if this one matches; nothing is stored between calls.
   */
  violates(cycle: ElementCycle): boolean {
    for (let back = 0; back < this.cycles; back++) {
      if (!this.matches(cycle, back)) return false
    }
    return true
  }

  /** Results of all conditions in the current cycle, for the event. */
  results(cycle: ElementCycle): PolicyResults {
    const metrics = new Set<string>()
    const conditions = this.conditions.map((matcher, index) => {
      const indexes = matcher.metricIndexes(cycle)
      const violating = indexes.filter((index) => matcher.matchesFor(index, cycle, 0))
      for (const index of violating) metrics.add(cycle.metricFqns[index]!)
      return {
        id: String(index),
        violating: violating.length > 0,
        ...describeResult(matcher, cycle, violating),
      }
    })
    return { violating: this.matches(cycle), conditions, metrics: [...metrics] }
  }
}
