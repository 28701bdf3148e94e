/** Policies made ready: their scope, their conditions, and for how many cycles these must hold. */

import { assert } from "../base/assert.ts"
import type { Policy } from "../model/records/policy.ts"
import { ConditionMatcher } from "./condition.ts"
import type { ElementCycle } from "./element-cycle.ts"
import { EventMatcher } from "./event-condition.ts"
import { ScopeMatcher } from "./scope.ts"
import { describeResult } from "./describe-result.ts"
import type { PolicyResults } from "./violation.ts"

export type KnownPolicy = Policy & { readonly id: string }

const cycleSeconds = 300

export class PolicyMatcher {
  readonly policy: KnownPolicy
  readonly scope: ScopeMatcher
  /** What is told from outside; null where the policy does not look at events. */
  readonly events: EventMatcher | null
  /** Consecutive cycles in which the conditions must hold, this one included: 1 to 288. */
  readonly cycles: number
  private readonly conditions: readonly ConditionMatcher[]

  constructor(policy: KnownPolicy) {
    this.policy = policy
    this.scope = new ScopeMatcher(policy.scope)
    this.events = policy.eventConditions.length === 0 ? null : new EventMatcher(policy)
    this.cycles = Math.max(1, Math.ceil(policy.duration / cycleSeconds))
    this.conditions = policy.conditions.map((condition) => new ConditionMatcher(condition))
    assert(Number.isInteger(this.cycles), `Expected a duration in seconds, got ${policy.duration}`)
  }

  /** Whether cycles are looked at: a policy may have conditions on events or a check only. */
  get hasConditions(): boolean {
    return this.conditions.length > 0
  }

  /** Whether its conditions hold in one cycle: all of them, or any. */
  matches(cycle: ElementCycle, back = 0): boolean {
    const { conditions } = this
    if (conditions.length === 0) return false
    if (this.policy.anyCondition) return conditions.some((one) => one.matches(cycle, back))
    return conditions.every((one) => one.matches(cycle, back))
  }

  /**
   * Whether they hold in this cycle and in all those before it that the duration asks for. The past
   * is looked at only where the present holds, and derived anew each time: nothing is remembered.
   */
  violates(cycle: ElementCycle): boolean {
    for (let back = 0; back < this.cycles; back++) {
      if (!this.matches(cycle, back)) return false
    }
    return true
  }

  /** What an event of the current cycle tells. */
  results(cycle: ElementCycle): PolicyResults {
    const metrics = new Set<string>()
    const conditions = this.conditions.map((matcher, index) => {
      const places = matcher.metricIndexes(cycle)
      const violating = places.filter((place) => matcher.matchesFor(place, cycle, 0))
      for (const place of violating) metrics.add(cycle.metricFqns[place]!)
      return {
        id: String(index),
        violating: violating.length > 0,
        expression: describeResult(matcher, cycle, violating),
      }
    })
    return { violating: this.matches(cycle), conditions, metrics: [...metrics] }
  }
}
