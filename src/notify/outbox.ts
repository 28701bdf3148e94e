/**
 * The outbox has the messages that wait for their delivery. They are stored in the transaction of
 * the events that they report.
 *
 *   "outbox:<tenant>" / "<notification, 16 digits>/<time, 16 digits>:<id>"   { version, notice }
 *   "outboxLane:<tenant>" / "<notification>"
 *                                  { version, failingSinceMs, attempts, dueMs, reason }
 *
 * All messages of one notification are one range of keys in order of time: a delivery queue. A
 * failing queue waits as a whole, so that the order holds; the others continue.
 */

import { assert } from "../base/assert.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { DocumentChange, DocumentStore } from "../model/document.ts"
import { outcomeChange, type DeliveryOutcome } from "../model/records/delivery.ts"
import { keyAfter, timeIndexedKind, timeKeyPrefix } from "../model/records/time-key.ts"
import type { NotificationMessage } from "../model/records/notification-message.ts"

const kind = "outbox"
/** Prefix of the kinds of all tenants' messages, and of no other kind. */
export const outboxPrefix = `${kind}:`
const queueKind = "outboxLane"
const documentVersion = 1
/** Messages read or removed by one request: up to 64 KiB each. */
const pageMax = 100

/** The messages of one notification. */
export interface DeliveryQueue {
  readonly tenant: TenantIndex
  readonly notificationId: number
}

/** The retry state of a failing queue. */
export interface QueueFailure {
  readonly failingSinceMs: number
  /** Failed attempts since then. */
  readonly attempts: number
  readonly dueMs: number
  /** Why the latest attempt failed; absent in failures of earlier versions. */
  readonly reason?: string
}

export interface OutboxEntry {
  readonly key: string
  readonly message: NotificationMessage
}

/** Changes that enqueue messages, for a transaction of the caller. Repeats change nothing. */
export function outboxChanges(messages: readonly NotificationMessage[]): DocumentChange[] {
  return messages.map((message) => ({
    kind: timeIndexedKind(kind, message.tenant),
    id: keyOf(message),
    document: { version: documentVersion, notice: message },
  }))
}

export class Outbox {
  private readonly documents: DocumentStore

  constructor(documents: DocumentStore) {
    this.documents = documents
  }

  /** The queues of a tenant that are not empty; one read each. */
  async *queues(tenant: TenantIndex): AsyncGenerator<DeliveryQueue> {
    let from = ""
    for (;;) {
      const [first] = await this.documents.list(timeIndexedKind(kind, tenant), { from, limit: 1 })
      if (first === undefined) return
      const queue = { tenant, notificationId: Number(first.id.slice(0, first.id.indexOf("/"))) }
      yield queue
      from = queueEnd(queue)
    }
  }

  /** The next message of a queue, undefined if it is empty. */
  async head({ tenant, notificationId }: DeliveryQueue): Promise<OutboxEntry | undefined> {
    const range = { from: queueStart(notificationId), to: queueEnd({ tenant, notificationId }) }
    const [first] = await this.documents.list(timeIndexedKind(kind, tenant), { ...range, limit: 1 })
    if (first === undefined) return undefined
    return { key: first.id, message: (first.document as { notice: NotificationMessage }).notice }
  }

  /** Removes a message that was delivered now, and the failure of its queue. */
  async acknowledge(
    { tenant, notificationId }: DeliveryQueue,
    { key, message }: OutboxEntry,
    nowMs: number,
  ): Promise<void> {
    await this.documents.putAll([
      { kind: timeIndexedKind(kind, tenant), id: key, document: null },
      queueChange({ tenant, notificationId }, null),
      ...outcomeOf(message, { state: "delivered", timeMs: nowMs, reason: null }),
    ])
  }

  async failure({ tenant, notificationId }: DeliveryQueue): Promise<QueueFailure | null> {
    const found = await this.documents.get(
      timeIndexedKind(queueKind, tenant),
      String(notificationId),
    )
    return (found as QueueFailure | undefined) ?? null
  }

  async setFailure(queue: DeliveryQueue, failure: QueueFailure | null): Promise<void> {
    await this.documents.putAll([queueChange(queue, failure)])
  }

  /**
   * Gives up all messages of a queue except the newest `keep`, for a reason; returns how many were
   * removed.
   */
  async drop(
    queue: DeliveryQueue,
    { keep = 0, reason, nowMs }: { keep?: number; reason: string; nowMs: number },
  ): Promise<number> {
    const kindOf = timeIndexedKind(kind, queue.tenant)
    const to = queueEnd(queue)
    const outcome = { state: "failed", timeMs: nowMs, reason } as const
    /** Of each message, in order of time: its removal and its outcome. */
    const changes: DocumentChange[][] = []
    let from = queueStart(queue.notificationId)
    for (;;) {
      const page = await this.documents.list(kindOf, { from, to, limit: pageMax })
      for (const { id, document } of page) {
        const { notice } = document as { notice: NotificationMessage }
        changes.push([{ kind: kindOf, id, document: null }, ...outcomeOf(notice, outcome)])
      }
      if (page.length < pageMax) break
      from = keyAfter(page.at(-1)!.id)
    }
    const gone = changes.slice(0, Math.max(0, changes.length - keep))
    for (let i = 0; i < gone.length; i += pageMax) {
      await this.documents.putAll(gone.slice(i, i + pageMax).flat())
    }
    return gone.length
  }
}

/** The change that stores the outcome of a message about an incident; none for others. */
function outcomeOf(
  { tenant, incidentId, id }: NotificationMessage,
  outcome: DeliveryOutcome,
): DocumentChange[] {
  return incidentId === undefined
    ? []
    : [outcomeChange(tenant, { incidentId, messageId: id }, outcome)]
}

function queueChange(
  { tenant, notificationId }: DeliveryQueue,
  failure: QueueFailure | null,
): DocumentChange {
  const document = failure === null ? null : { version: documentVersion, ...failure }
  return { kind: timeIndexedKind(queueKind, tenant), id: String(notificationId), document }
}

function keyOf({ notificationId, timeMs, id }: NotificationMessage): string {
  return `${queueStart(notificationId)}${timeKeyPrefix(timeMs)}:${id}`
}

function queueStart(notificationId: number): string {
  assert(Number.isInteger(notificationId), `Expected a whole number, got ${notificationId}`)
  return `${String(notificationId).padStart(16, "0")}/`
}

/** "0" follows "/". */
function queueEnd({ notificationId }: DeliveryQueue): string {
  return queueStart(notificationId).replace("/", "0")
}
