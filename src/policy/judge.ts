/** One element's cycle against the policies that watch it. */

import type { ElementCycle } from "./element-cycle.ts"
import type { PolicySet } from "./policy-set.ts"
import type { FoundElement, Violation } from "./violation.ts"

/**
 * What the policies that are called by their places find. `element` is asked for only where one
 * does. An element in maintenance is not brought here.
 */
export function violationsOf(
  set: PolicySet,
  { policies, cycle }: { readonly policies: Int32Array; readonly cycle: ElementCycle },
  element: () => FoundElement,
): Violation[] {
  const found: Violation[] = []
  for (const place of policies) {
    const matcher = set.matchers[place]!
    if (!matcher.hasConditions || !matcher.violates(cycle)) continue
    const results = matcher.results(cycle)
    found.push({ policyId: matcher.policy.id, element: element(), results })
  }
  return found
}
