/** The active policies of a tenant, and which of them are for an element. */

import type { StoredDocument } from "../model/document.ts"
import type { ElementEvent } from "../model/records/event.ts"
import type { Policy } from "../model/records/policy.ts"
import type { ElementCycle } from "./element-cycle.ts"
import { PolicyMatcher, type KnownPolicy } from "./policy-matcher.ts"
import type { ScopeSubject } from "./scope.ts"
import { ScopeIndex } from "./scope-index.ts"
import type { AffectedElement, Violation } from "./violation.ts"

/**
 * @example
 * import { defaultPolicy, matchAllScope } from "../model/records/policy.ts"
 * const servers = { ...matchAllScope, elementType: "SERVER" }
 * const set = new PolicySet([
 *   { ...defaultPolicy, id: "all" },
 *   { ...defaultPolicy, id: "servers", scope: servers },
 *   { ...defaultPolicy, id: "off", enabled: false },
 * ])
 * const printer = { fqn: "p", name: "p", type: "PRINTER", tags: [], attributes: [] }
 * const found = Array.from(set.policiesFor(printer), (one) => set.matchers[one]!.policy.id)
 * assert.deepEqual(found, ["all"])
 */
export class PolicySet {
  /** Enabled policies that are not deleted; others refer to them by their index. */
  readonly matchers: readonly PolicyMatcher[]
  private readonly index: ScopeIndex
  private readonly matcherById: ReadonlyMap<string, PolicyMatcher>
  /** By the catalogue's entry of an element, which another one replaces if it changes. */
  private readonly policiesByInfo = new WeakMap<object, Int32Array>()
  /** Interned lists: similar elements have the same policies. */
  private readonly lists = new Map<string, Int32Array>()
  /** By such a list: one copy travels with a batch of similar elements, not one for each. */
  private readonly idsByList = new WeakMap<Int32Array, readonly string[]>()

  /** The policies were validated when they were stored, so nothing is thrown. */
  constructor(policies: readonly KnownPolicy[]) {
    const inForce = policies.filter(({ enabled, deleted }) => enabled && !deleted)
    this.matchers = inForce.map((policy) => new PolicyMatcher(policy))
    this.index = new ScopeIndex(inForce.map(({ scope }) => scope))
    this.matcherById = new Map(this.matchers.map((one) => [one.policy.id, one]))
  }

  /** From documents of the kind "policy:<tenant>". */
  static ofDocuments(stored: Iterable<StoredDocument>): PolicySet {
    const policies = Array.from(stored, ({ id, document }): KnownPolicy => {
      return { ...(document as { body: Policy }).body, id }
    })
    return new PolicySet(policies)
  }

  byId(policyId: string): PolicyMatcher | undefined {
    return this.matcherById.get(policyId)
  }

  /** Whether an external event meets the event conditions of some policy, ignoring scopes. */
  matchesAny(event: ElementEvent): boolean {
    return this.matchers.some(({ events }) => events?.matches(event))
  }

  /** Indexes of the policies whose scope contains an element, ascending. */
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

  /** As `policiesFor`, cached as long as an element has this entry in the catalogue. */
  policiesOf(info: object, subject: () => ScopeSubject): Int32Array {
    const known = this.policiesByInfo.get(info)
    if (known !== undefined) return known
    const policies = this.policiesFor(subject())
    this.policiesByInfo.set(info, policies)
    return policies
  }

  /** The ids of the policies with these indexes. */
  idsOf(policies: Int32Array): readonly string[] {
    let ids = this.idsByList.get(policies)
    if (ids === undefined) {
      ids = Array.from(policies, (index) => this.matchers[index]!.policy.id)
      this.idsByList.set(policies, ids)
    }
    return ids
  }

  /**
   * Violations of the policies with these indexes in an element's cycle. `element` is called only
   * if there are any. The caller skips elements in maintenance.
   */
  violations(
    policies: Int32Array,
    cycle: ElementCycle,
    element: () => AffectedElement,
  ): readonly Violation[] {
    const found: Violation[] = []
    for (const index of policies) {
      const matcher = this.matchers[index]!
      if (!matcher.hasConditions || !matcher.violates(cycle)) continue
      const results = matcher.results(cycle)
      found.push({ policyId: matcher.policy.id, element: element(), results })
    }
    return found
  }
}
