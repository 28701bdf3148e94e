/** Deliveries of the messages about an incident: delivered, waiting or failed, and why. */

import type { DocumentStore } from "../model/document.ts"
import type { TenantIndex } from "../model/ids.ts"
import {
  deliveryKind,
  outcomeRange,
  readOutcome,
  type IncidentMessage,
} from "../model/records/delivery.ts"
import type { Incident } from "../model/records/incident.ts"
import { isReceiverDown } from "./failures.ts"
import { Outbox } from "./outbox.ts"

export interface Delivery extends IncidentMessage {
  readonly state: "delivered" | "waiting" | "failed"
  /** When it was delivered, or given up; null while it waits. */
  readonly endMs: number | null
  /** Why it failed, or not to all, or why it waits for another attempt. */
  readonly reason: string | null
  /** When it is tried again, or its queue; null if neither failed. */
  readonly retryMs: number | null
}

/** Outcomes that one read gives: an incident keeps fewer, and a few of messages before those. */
const outcomesMax = 1_000

export class Deliveries {
  private readonly documents: Pick<DocumentStore, "list">
  private readonly outbox: Pick<Outbox, "failure" | "retry">

  constructor(documents: DocumentStore) {
    this.documents = documents
    this.outbox = new Outbox(documents)
  }

  /** The last messages about an incident, oldest first. */
  async of(tenant: TenantIndex, { id, messages = [] }: Incident): Promise<readonly Delivery[]> {
    if (messages.length === 0) return []
    const range = { ...outcomeRange(id), limit: outcomesMax }
    const found = await this.documents.list(deliveryKind(tenant), range)
    const outcomes = new Map(
      found.map(readOutcome).map(({ messageId, outcome }) => [messageId, outcome]),
    )
    return Promise.all(
      messages.map(async (message): Promise<Delivery> => {
        const outcome = outcomes.get(message.id)
        if (outcome === undefined) return this.waiting(tenant, message)
        const { state, timeMs, reason } = outcome
        return { ...message, state, endMs: timeMs, reason, retryMs: null }
      }),
    )
  }

  /** A message that waits for its own next attempt, or for a receiver that is down. */
  private async waiting(tenant: TenantIndex, message: IncidentMessage): Promise<Delivery> {
    const { notificationId } = message
    const retry = await this.outbox.retry(tenant, message)
    const failure = await this.outbox.failure({ tenant, notificationId })
    const pause = isReceiverDown(failure) ? failure : null
    const reason = retry?.reason ?? pause?.reason ?? null
    const ownMs = retry === null || retry.attempts === 0 ? null : retry.dueMs
    return { ...message, state: "waiting", endMs: null, reason, retryMs: pause?.dueMs ?? ownMs }
  }
}
