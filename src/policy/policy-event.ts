/** Events of policies (spec/events §6). */

import { largestOf } from "../base/iterables.ts"
import { truncate } from "../base/text/truncate.ts"
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
   * Identifies the match, with policy and element: start of the cycle, id of the external event, or
   * the check and its expiry. A repeated match is the same event.
   */
  readonly window: string
  /** Start of the cycle, time of the external event, or expiry of the check. */
  readonly timeMs: number
  readonly results: PolicyResults
  /** Of the external event; absent for another cause. */
  readonly texts?: EventTexts
}

/** The texts of an external event, which the event of a policy repeats. */
export interface EventTexts {
  readonly title: string | null
  readonly message: string | null
  readonly source: string | null
}

/** More than a receiver shows; a message in the outbox has up to 64 KiB. */
const repeatedMessageMax = 16_000

/** For policies without an action of type event: a violation is more than information. */
const levelWithoutAction: EventLevel = "WARNING"

/** The level of a policy's events: that of its most severe action. */
function levelOfPolicy({ actions }: Policy): EventLevel {
  const categories = actions.flatMap((one) => (one.type === "event" ? [one.category] : []))
  if (categories.length === 0) return levelWithoutAction
  return eventLevels[largestOf(categories) - 1]!
}

/** The event of a match at `processedMs`. Its id depends on the match and the tenant only. */
export function createPolicyEvent(
  match: PolicyMatch,
  { tenantUuid, processedMs }: { readonly tenantUuid: string; readonly processedMs: number },
): ElementEvent {
  const { policy, element, timeMs, results } = match
  const { id: elementId, fqn: elementFqn, name, type, location, tags } = element
  const { metrics } = results
  const metricIds = metrics.map((fqn) => ({ fqn, id: metricUuid(tenantUuid, elementFqn, fqn) }))
  return {
    id: eventIdOf(match, tenantUuid),
    timeMs,
    processedMs,
    elementFqn,
    elementId,
    level: levelOfPolicy(policy),
    type: null,
    title: null,
    source: null,
    data: {
      metricIds,
      policyName: policy.name,
      metrics,
      results: JSON.stringify(results),
      ...repeated(match.texts),
    },
    tags: [],
    isExternal: false,
    policy,
    element: { name, type, location, tags },
  }
}

function repeated(texts: EventTexts | undefined): Partial<EventTexts> {
  if (texts === undefined) return {}
  const message = texts.message === null ? null : truncate(texts.message, repeatedMessageMax)
  return { ...texts, message }
}

/** No part contains a NUL, so the joined name is unique. */
export function eventIdOf(
  { policy, element, cause, window }: PolicyMatch,
  tenantUuid: string,
): string {
  return uuidV3(tenantUuid, ["finding", policy.id, element.fqn, cause, window].join("\0"))
}
