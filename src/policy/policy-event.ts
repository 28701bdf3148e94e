/** Events that policies find (spec/events §6). */

import { largestOf } from "../base/iterables.ts"
import { uuidV3 } from "../base/uuid.ts"
import type { ElementEvent } from "../model/records/event.ts"
import { eventLevels, type EventLevel } from "../model/records/event-level.ts"
import { metricUuid } from "../model/fqn.ts"
import type { IncidentCause } from "../model/records/incident.ts"
import type { Policy } from "../model/records/policy.ts"
import type { KnownPolicy } from "./policy-matcher.ts"
import type { AffectedElement, PolicyResults } from "./violation.ts"

export interface PolicyMatch {
  readonly policy: KnownPolicy
  readonly element: AffectedElement
  readonly cause: IncidentCause
  /**
   * What, beside policy and element, makes it this finding: the start of the cycle, the id of the
   * external event, the check and its expiry. The same again is the same event.
   */
  readonly window: string
  /** The start of the cycle, the time of the external event, or the lapse. */
  readonly timeMs: number
  readonly results: PolicyResults
}

/** Where a policy has no action of the type event: it found something, so more than news. */
const levelWithoutAction: EventLevel = "WARNING"

/** The level that a policy gives its events: that of the worst of its actions. */
export function levelOfPolicy({ actions }: Policy): EventLevel {
  const categories = actions.flatMap((one) => (one.type === "event" ? [one.category] : []))
  if (categories.length === 0) return levelWithoutAction
  return eventLevels[largestOf(categories) - 1]!
}

/** The event of a finding; `processedMs` is when it was found. Its id is a pure function of both. */
export function createPolicyEvent(
  finding: PolicyMatch,
  { tenantUuid, processedMs }: { readonly tenantUuid: string; readonly processedMs: number },
): ElementEvent {
  const { policy, element, timeMs, results } = finding
  const { id: elementId, fqn: elementFqn, name, type, location, tags } = element
  const { metrics } = results
  const metricIds = metrics.map((fqn) => ({ fqn, id: metricUuid(tenantUuid, elementFqn, fqn) }))
  return {
    id: eventIdOf(finding, tenantUuid),
    timeMs,
    processedMs,
    elementFqn,
    elementId,
    level: levelOfPolicy(policy),
    type: null,
    title: null,
    source: null,
    data: { metricIds, policyName: policy.name, metrics, results: JSON.stringify(results) },
    tags: [],
    isExternal: false,
    policy,
    element: { name, type, location, tags },
  }
}

/** No part holds a NUL. */
function eventIdOf({ policy, element, cause, window }: PolicyMatch, tenantUuid: string): string {
  return uuidV3(tenantUuid, ["finding", policy.id, element.fqn, cause, window].join("\0"))
}
