/** The policies of a tenant that are in force, and which of them watch an element. */

import type { StoredDocument } from "../model/document.ts"
import type { ElementEvent } from "../model/records/event.ts"
import type { Policy } from "../model/records/policy.ts"
import type { ElementCycle } from "./element-cycle.ts"
import { PolicyMatcher, type KnownPolicy } from "./policy-matcher.ts"
import type { ScopeSubject } from "./scope.ts"
import { ScopeIndex } from "./scope-index.ts"
import type { AffectedElement, Violation } from "./violation.ts"

interface CachedPolicies {
  /** What was known of the element when this was found. */
  readonly info: object
  readonly policies: Int32Array
}

export class PolicySet {
  /** Those that are enabled and not deleted; called by their place below. */
  readonly matchers: readonly PolicyMatcher[]
  private readonly index: ScopeIndex
  private readonly matcherById: ReadonlyMap<string, PolicyMatcher>
  private readonly policiesByElement = new Map<number, CachedPolicies>()
  /** Elements of one kind are watched by the same policies: each list is kept once. */
  private readonly lists = new Map<string, Int32Array>()

  /** Throws nothing: the policies were judged when they were stored. */
  constructor(policies: readonly KnownPolicy[]) {
    const inForce = policies.filter(({ enabled, deleted }) => enabled && !deleted)
    this.matchers = inForce.map((policy) => new PolicyMatcher(policy))
    this.index = new ScopeIndex(inForce.map(({ scope }) => scope))
    this.matcherById = new Map(this.matchers.map((one) => [one.policy.id, one]))
  }

  /** The policies as they are stored: documents of the kind "policy:<tenant>". */
  static ofDocuments(stored: Iterable<StoredDocument>): PolicySet {
    const policies = Array.from(stored, ({ id, document }): KnownPolicy => {
      return { ...(document as { body: Policy }).body, id }
    })
    return new PolicySet(policies)
  }

  byId(policyId: string): PolicyMatcher | undefined {
    return this.matcherById.get(policyId)
  }

  /** Whether an external event meets the event conditions of some policy, whatever its scope. */
  matchesAny(event: ElementEvent): boolean {
    return this.matchers.some(({ events }) => events?.matches(event))
  }

  /** The policies that watch an element, in ascending order. */
  policiesFor(subject: ScopeSubject): Int32Array {
    const candidates = this.index.candidates(subject)
    const found = candidates.filter((one) => this.matchers[one]!.scope.matches(subject))
    const key = found.join(" ")
    const known = this.lists.get(key)
    if (known !== undefined) return known
    const list = Int32Array.from(found)
    this.lists.set(key, list)
    return list
  }

  /**
   * The same, remembered for as long as `info` is the very same object: what the catalogue knows of
   * an element is replaced, never changed. `element` is its number in the catalogue.
   */
  policiesOf(element: number, info: object, subject: () => ScopeSubject): Int32Array {
    const watch = this.policiesByElement.get(element)
    if (watch?.info === info) return watch.policies
    const policies = this.policiesFor(subject())
    this.policiesByElement.set(element, { info, policies })
    return policies
  }

  /**
   * What the policies that are called by their places find in an element's cycle. `element` is
   * asked for only where one does. An element in maintenance is not brought here.
   */
  violations(
    policies: Int32Array,
    cycle: ElementCycle,
    element: () => AffectedElement,
  ): readonly Violation[] {
    const found: Violation[] = []
    for (const place of policies) {
      const matcher = this.matchers[place]!
      if (!matcher.hasConditions || !matcher.violates(cycle)) continue
      const results = matcher.results(cycle)
      found.push({ policyId: matcher.policy.id, element: element(), results })
    }
    return found
  }
}
