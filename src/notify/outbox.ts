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
const laneKind = "outboxLane"
const formVersion = 1
/** Looked at in one go: of up to 64 KiB each. */
const pageMax = 100

/** Notices of one notification. */
export interface Lane {
  readonly tenant: number
  readonly notificationId: number
}

/** How a lane fails; null where the last delivery was a success. */
export interface LaneFailure {
  readonly failingSinceMs: number
  /** Since then. */
  readonly attempts: number
  readonly dueMs: number
}

export interface OutboxEntry {
  readonly key: string
  readonly notice: NotificationMessage
}

/** Changes for the transaction that stores what the notices tell. A repeat changes nothing more. */
export function outboxChanges(notices: readonly NotificationMessage[]): DocumentChange[] {
  return notices.map((notice) => ({
    kind: timeIndexedKind(kind, notice.tenant),
    id: keyOf(notice),
    document: { version: formVersion, notice },
  }))
}

export class Outbox {
  private readonly documents: DocumentStore

  constructor(documents: DocumentStore) {
    this.documents = documents
  }

  /** Lanes of a tenant that hold something, one read each. */
  async *lanes(tenant: number): AsyncGenerator<Lane> {
    let from = ""
    for (;;) {
      const [first] = await this.documents.list(timeIndexedKind(kind, tenant), { from, limit: 1 })
      if (first === undefined) return
      const lane = { tenant, notificationId: Number(first.id.slice(0, first.id.indexOf("/"))) }
      yield lane
      from = laneEnd(lane)
    }
  }

  /** The notice that is to be told next. */
  async head({ tenant, notificationId }: Lane): Promise<OutboxEntry | undefined> {
    const range = { from: laneStart(notificationId), to: laneEnd({ tenant, notificationId }) }
    const [first] = await this.documents.list(timeIndexedKind(kind, tenant), { ...range, limit: 1 })
    if (first === undefined) return undefined
    return { key: first.id, notice: (first.document as { notice: NotificationMessage }).notice }
  }

  /** Takes out what was told, and with it that the lane failed. */
  async told({ tenant, notificationId }: Lane, { key }: OutboxEntry): Promise<void> {
    await this.documents.putAll([
      { kind: timeIndexedKind(kind, tenant), id: key, document: null },
      laneChange({ tenant, notificationId }, null),
    ])
  }

  async failure({ tenant, notificationId }: Lane): Promise<LaneFailure | null> {
    const found = await this.documents.get(
      timeIndexedKind(laneKind, tenant),
      String(notificationId),
    )
    return (found as LaneFailure | undefined) ?? null
  }

  async setFailure(lane: Lane, failure: LaneFailure | null): Promise<void> {
    await this.documents.putAll([laneChange(lane, failure)])
  }

  /** Removes everything of a lane, or all but the newest `keep`; answers how many notices went. */
  async drop(lane: Lane, keep = 0): Promise<number> {
    const kindOf = timeIndexedKind(kind, lane.tenant)
    const to = laneEnd(lane)
    const keys: string[] = []
    let from = laneStart(lane.notificationId)
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

function laneChange({ tenant, notificationId }: Lane, failure: LaneFailure | null): DocumentChange {
  const document = failure === null ? null : { version: formVersion, ...failure }
  return { kind: timeIndexedKind(laneKind, tenant), id: String(notificationId), document }
}

function keyOf({ notificationId, timeMs, id }: NotificationMessage): string {
  return `${laneStart(notificationId)}${timeKeyPrefix(timeMs)}:${id}`
}

function laneStart(notificationId: number): string {
  assert(Number.isInteger(notificationId), `Expected a whole number, got ${notificationId}`)
  return `${String(notificationId).padStart(16, "0")}/`
}

/** "0" follows "/". */
function laneEnd({ notificationId }: Lane): string {
  return laneStart(notificationId).replace("/", "0")
}
