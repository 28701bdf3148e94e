/**
 * Deliveries of an incident: which messages were sent about it, and what became of them.
 *
 *   incident.messages                                  the last ones, decided with the incident
 *   "delivery:<tenant>" / "<incident>/<message>"       outcome; none while the message waits
 *
 * The pipeline of incidents writes the former, the delivery worker the latter: neither waits for
 * the other, and both are stored in transactions that exist anyway.
 */

import { assert } from "../../base/assert.ts"
import type { DocumentChange } from "../document.ts"
import type { TenantIndex } from "../ids.ts"
import { timeIndexedKind } from "./time-key.ts"

/** The first message of a notification about an incident, a later one, the one about its end. */
export const deliverySteps = ["fired", "repeated", "cleared"] as const
export type DeliveryStep = (typeof deliverySteps)[number]

/** A message about an incident, decided and perhaps not sent yet. */
export interface IncidentMessage {
  readonly id: string
  readonly notificationId: number
  readonly timeMs: number
  readonly step: DeliveryStep
}

/** A message that does not wait any more. */
export interface DeliveryOutcome {
  readonly state: "delivered" | "failed"
  readonly timeMs: number
  /** Why it was not delivered, or not to some of the recipients; null if it was to all. */
  readonly reason: string | null
}

const kind = "delivery"
const documentVersion = 1

export function deliveryKind(tenant: TenantIndex): string {
  return timeIndexedKind(kind, tenant)
}

/** The change that stores an outcome, or removes it. */
export function outcomeChange(
  tenant: TenantIndex,
  { incidentId, messageId }: { readonly incidentId: string; readonly messageId: string },
  outcome: DeliveryOutcome | null,
): DocumentChange {
  const document = outcome === null ? null : { version: documentVersion, ...outcome }
  if (outcome !== null) assertOutcome(outcome)
  return { kind: deliveryKind(tenant), id: `${incidentId}/${messageId}`, document }
}

/** The keys of all outcomes of an incident. "0" follows "/". */
export function outcomeRange(incidentId: string): { readonly from: string; readonly to: string } {
  return { from: `${incidentId}/`, to: `${incidentId}0` }
}

/** The message and its outcome, as stored. */
export function readOutcome({ id, document }: { readonly id: string; readonly document: unknown }) {
  const outcome = document as DeliveryOutcome
  assertOutcome(outcome)
  return { messageId: id.slice(id.indexOf("/") + 1), outcome }
}

/** Before it is stored, and after it is read. */
function assertOutcome({ state, reason }: DeliveryOutcome): void {
  assert(state === "delivered" || reason !== null, "Expected a reason if it failed")
}
