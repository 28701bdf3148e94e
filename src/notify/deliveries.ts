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
import { Outbox, type QueueFailure } from "./outbox.ts"

export interface Delivery extends IncidentMessage {
  readonly state: "delivered" | "waiting" | "failed"
  /** When it was delivered, or given up; null while it waits. */
  readonly endMs: number | null
  /** Why it failed, or why it waits for another attempt. */
  readonly reason: string | null
  /** When its queue is tried again; null if that is not failing. */
  readonly retryMs: number | null
}

/** Outcomes that one read gives: an incident keeps fewer, and a few of messages before those. */
const outcomesMax = 1_000

export class Deliveries {
  private readonly documents: Pick<DocumentStore, "list">
  private readonly outbox: Pick<Outbox, "failure">

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
    const waiting = messages.filter((message) => !outcomes.has(message.id))
    const failures = new Map<number, QueueFailure | null>()
    for (const notificationId of new Set(waiting.map((one) => one.notificationId))) {
      failures.set(notificationId, await this.outbox.failure({ tenant, notificationId }))
    }
    return messages.map((message): Delivery => {
      const outcome = outcomes.get(message.id)
      if (outcome !== undefined) {
        const { state, timeMs, reason } = outcome
        return { ...message, state, endMs: timeMs, reason, retryMs: null }
      }
      const failure = failures.get(message.notificationId) ?? null
      const reason = failure?.reason ?? null
      return { ...message, state: "waiting", endMs: null, reason, retryMs: failure?.dueMs ?? null }
    })
  }
}
