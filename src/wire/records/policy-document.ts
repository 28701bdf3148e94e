/** Records of policies as clients read them (field-facts §6). */

import { formatInstantSeconds } from "../../base/iso8601.ts"
import type { Policy } from "../../model/policy.ts"

/** `updatedMs` is left out where a policy is part of an event. */
export function policyDocument(
  policy: Policy & { readonly id: string },
  updatedMs?: number,
): Record<string, unknown> {
  return {
    id: policy.id,
    name: policy.name,
    description: policy.description,
    scope: policy.scope,
    duration: policy.duration,
    anyCondition: policy.anyCondition,
    conditions: policy.conditions,
    eventConditions: policy.eventConditions,
    checkCondition: policy.checkCondition,
    actions: policy.actions,
    enabled: policy.enabled,
    deleted: policy.deleted,
    creatorEmail: policy.creatorEmail,
    ...(updatedMs !== undefined && { lastUpdated: formatInstantSeconds(updatedMs) }),
  }
}
