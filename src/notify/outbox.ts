/**
 * Outbox: notices that wait for their delivery, as documents that are stored in the transaction of
 * what they tell.
 *
 *   "outbox:<tenant>" / "<notification, 16 digits>/<time, 16 digits>:<id>"   { version, notice }
 *   "outboxLane:<tenant>" / "<notification>"     { version, failingSinceMs, attempts, dueMs }
 *
 * All notices of one notification are one range of keys in order of time: a lane. A lane that fails
 * waits as a whole, so that order holds; the others go on.
 */

import { assert } from "../base/assert.ts"
import type { DocumentChange, DocumentStore } from "../model/document.ts"
import { keyAfter, timeIndexedKind, timeKeyPrefix } from "../model/records/time-key.ts"
import type { NotificationMessage } from "./notification-message.ts"

const kind = "outbox"
/** Begins the kinds of all tenants' notices, and no other kind. */
export const outboxPrefix = `${kind}:`
const queueKind = "outboxLane"
const documentVersion = 1
/** Looked at in one go: of up to 64 KiB each. */
const pageMax = 100

/** Notices of one notification. */
export interface DeliveryQueue {
  readonly tenant: number
  readonly notificationId: number
}

/** How a lane fails; null where the last delivery was a success. */
export interface QueueFailure {
  readonly failingSinceMs: number
  /** Since then. */
  readonly attempts: number
  readonly dueMs: number
}

export interface OutboxEntry {
  readonly key: string
  readonly message: NotificationMessage
}

/** Changes for the transaction that stores what the notices tell. A repeat changes nothing more. */
export function outboxChanges(notices: readonly NotificationMessage[]): DocumentChange[] {
  return notices.map((notice) => ({
    kind: timeIndexedKind(kind, notice.tenant),
    id: keyOf(notice),
    document: { version: documentVersion, notice },
  }))
}

export class Outbox {
  private readonly documents: DocumentStore

  constructor(documents: DocumentStore) {
    this.documents = documents
  }

  /** Lanes of a tenant that hold something, one read each. */
  async *queues(tenant: number): AsyncGenerator<DeliveryQueue> {
    let from = ""
    for (;;) {
      const [first] = await this.documents.list(timeIndexedKind(kind, tenant), { from, limit: 1 })
      if (first === undefined) return
      const lane = { tenant, notificationId: Number(first.id.slice(0, first.id.indexOf("/"))) }
      yield lane
      from = queueEnd(lane)
    }
  }

  /** The notice that is to be told next. */
  async head({ tenant, notificationId }: DeliveryQueue): Promise<OutboxEntry | undefined> {
    const range = { from: queueStart(notificationId), to: queueEnd({ tenant, notificationId }) }
    const [first] = await this.documents.list(timeIndexedKind(kind, tenant), { ...range, limit: 1 })
    if (first === undefined) return undefined
    return { key: first.id, message: (first.document as { notice: NotificationMessage }).notice }
  }

  /** Takes out what was told, and with it that the lane failed. */
  async acknowledge(
    { tenant, notificationId }: DeliveryQueue,
    { key }: OutboxEntry,
  ): Promise<void> {
    await this.documents.putAll([
      { kind: timeIndexedKind(kind, tenant), id: key, document: null },
      queueChange({ tenant, notificationId }, null),
    ])
  }

  async failure({ tenant, notificationId }: DeliveryQueue): Promise<QueueFailure | null> {
    const found = await this.documents.get(
      timeIndexedKind(queueKind, tenant),
      String(notificationId),
    )
    return (found as QueueFailure | undefined) ?? null
  }

  async setFailure(lane: DeliveryQueue, failure: QueueFailure | null): Promise<void> {
    await this.documents.putAll([queueChange(lane, failure)])
  }

  /** Removes everything of a lane, or all but the newest `keep`; answers how many notices went. */
  async drop(lane: DeliveryQueue, keep = 0): Promise<number> {
    const kindOf = timeIndexedKind(kind, lane.tenant)
    const to = queueEnd(lane)
    const keys: string[] = []
    let from = queueStart(lane.notificationId)
    for (;;) {
      const page = await this.documents.list(kindOf, { from, to, limit: pageMax })
      for (const { id } of page) keys.push(id)
      if (page.length < pageMax) break
      from = keyAfter(page.at(-1)!.id)
    }
    const gone = keys.slice(0, Math.max(0, keys.length - keep))
    for (let i = 0; i < gone.length; i += pageMax) {
      const piece = gone.slice(i, i + pageMax)
      await this.documents.putAll(piece.map((id) => ({ kind: kindOf, id, document: null })))
    }
    return gone.length
  }
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
