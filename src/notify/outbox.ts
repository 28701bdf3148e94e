/**
 * The outbox has the messages that wait for their delivery. They are stored in the transaction of
 * the events that they report.
 *
 *   "outbox:<tenant>" / "<notification, 16 digits>/<time, 16 digits>:<id>"    { version, notice }
 *   "outbox:<tenant>" / "<notification>/+<time>:<id>"             the same, once an attempt failed
 *   "outboxRetry:<tenant>" / "<notification>/<time>:<id>"   { version, incidentId, MessageRetry }
 *   "outboxLane:<tenant>" / "<notification>"                { version, QueueFailure }
 *
 * All messages of one notification are one range of keys: a delivery queue. Those that failed are a
 * range of their own, and their states are small documents, so that a pass reads no message but
 * those that it tries. States and messages are in order of time.
 */

import { assert } from "../base/assert.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { DocumentChange, DocumentStore } from "../model/document.ts"
import { outcomeChange, type DeliveryOutcome } from "../model/records/delivery.ts"
import { keyAfter, timeIndexedKind, timeKeyPrefix } from "../model/records/time-key.ts"
import type { NotificationMessage } from "../model/records/notification-message.ts"
import { fromEarlierFailure, type EarlierFailure } from "./failures.ts"
import type { MessageRetry, QueueFailure } from "./failures.ts"

const kind = "outbox"
/** Prefix of the kinds of all tenants' messages, and of no other kind. */
export const outboxPrefix = `${kind}:`
const retryKind = "outboxRetry"
const queueKind = "outboxLane"
const documentVersion = 1
/** Since version 2 a failure has the messages that failed. */
const failureVersion = 2
/** Sorts before the digits of a time. */
const failedMark = "+"
/** Messages read by one request: up to 64 KiB each. */
const pageMax = 10
/** Messages removed by one transaction, without being read again. */
const removedMax = 100

/** The messages of one notification. */
export interface DeliveryQueue {
  readonly tenant: TenantIndex
  readonly notificationId: number
}

/** A message of which an attempt failed, or which an earlier message holds back. */
export interface WaitingMessage {
  readonly key: string
  /** Null in messages of earlier versions. */
  readonly incidentId: string | null
  readonly retry: MessageRetry
}

/** The part of a message from which its keys are computed. */
type MessageName = Pick<NotificationMessage, "notificationId" | "timeMs" | "id">

/** Changes that enqueue messages, for a transaction of the caller. Repeats change nothing. */
export function outboxChanges(messages: readonly NotificationMessage[]): DocumentChange[] {
  return messages.map((message) => ({
    kind: timeIndexedKind(kind, message.tenant),
    id: messageKey(message),
    document: { version: documentVersion, notice: message },
  }))
}

/** The key of a message's state. */
export function messageKey({ notificationId, timeMs, id }: MessageName): string {
  return `${queueStart(notificationId)}${timeKeyPrefix(timeMs)}:${id}`
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

  /** The first message of a queue of which no attempt failed, undefined if there is none. */
  async untried(queue: DeliveryQueue): Promise<NotificationMessage | undefined> {
    const from = `${queueStart(queue.notificationId)}0`
    const range = { from, to: queueEnd(queue), limit: 1 }
    const [first] = await this.documents.list(timeIndexedKind(kind, queue.tenant), range)
    return (first?.document as StoredMessage | undefined)?.notice
  }

  /** The states of the others; the worker drops the oldest of too many after each pass. */
  async waiting(queue: DeliveryQueue): Promise<WaitingMessage[]> {
    const range = { from: queueStart(queue.notificationId), to: queueEnd(queue) }
    const found = await this.documents.list(timeIndexedKind(retryKind, queue.tenant), range)
    return found.map(({ id, document }) => {
      const { version: _, incidentId, ...retry } = document as StoredRetry
      return { key: id, incidentId, retry }
    })
  }

  /** The message of a state; undefined if the store lost it. */
  async message(
    { tenant }: DeliveryQueue,
    { key }: WaitingMessage,
  ): Promise<NotificationMessage | undefined> {
    const found = await this.documents.get(timeIndexedKind(kind, tenant), failedKey(key))
    return (found as StoredMessage | undefined)?.notice
  }

  /** The state of a message; null if no attempt failed. */
  async retry(tenant: TenantIndex, message: MessageName): Promise<MessageRetry | null> {
    const found = await this.documents.get(timeIndexedKind(retryKind, tenant), messageKey(message))
    return (found as StoredRetry | undefined) ?? null
  }

  /** Stores that a message waits for another attempt, with the state of its queue. */
  async postpone(
    message: NotificationMessage,
    retry: MessageRetry,
    failure: QueueFailure | null,
  ): Promise<void> {
    const { tenant, incidentId = null } = message
    const key = messageKey(message)
    const state = { version: documentVersion, incidentId, ...retry }
    const moved = { version: documentVersion, notice: message }
    await this.documents.putAll([
      { kind: timeIndexedKind(kind, tenant), id: key, document: null },
      { kind: timeIndexedKind(kind, tenant), id: failedKey(key), document: moved },
      { kind: timeIndexedKind(retryKind, tenant), id: key, document: state },
      failureChange(message, failure),
    ])
  }

  /** Removes a message with its outcome, and stores the state of its queue. */
  async end(
    message: NotificationMessage,
    outcome: DeliveryOutcome,
    failure: QueueFailure | null,
  ): Promise<void> {
    const removal = removalOf(message.tenant, messageKey(message))
    const changes = [...outcomeOf(message, outcome), failureChange(message, failure)]
    await this.documents.putAll([...removal, ...changes])
  }

  /** Removes the state of a message that the store lost. */
  async forget({ tenant }: DeliveryQueue, { key }: WaitingMessage): Promise<void> {
    await this.documents.putAll(removalOf(tenant, key))
  }

  async failure({ tenant, notificationId }: DeliveryQueue): Promise<QueueFailure | null> {
    const kindOf = timeIndexedKind(queueKind, tenant)
    const found = await this.documents.get(kindOf, String(notificationId))
    if (found === undefined) return null
    const { version, ...failure } = found as { readonly version: number }
    if (version === documentVersion) return fromEarlierFailure(failure as EarlierFailure)
    return failure as QueueFailure
  }

  async setFailure(queue: DeliveryQueue, failure: QueueFailure | null): Promise<void> {
    await this.documents.putAll([failureChange(queue, failure)])
  }

  /**
   * Gives up all messages of a queue except the newest `keep`, for a reason; returns how many were
   * removed.
   */
  async drop(
    queue: DeliveryQueue,
    { keep = 0, reason, nowMs }: { keep?: number; reason: string; nowMs: number },
  ): Promise<number> {
    const outcome = { state: "failed", timeMs: nowMs, reason } as const
    /** Of each message its removal and outcome. */
    const changes = new Map<string, DocumentChange[]>()
    for await (const message of this.all(queue)) {
      const key = messageKey(message)
      changes.set(key, [...removalOf(queue.tenant, key), ...outcomeOf(message, outcome)])
    }
    const oldestFirst = [...changes.keys()].sort()
    const gone = oldestFirst.slice(0, Math.max(0, oldestFirst.length - keep))
    for (let i = 0; i < gone.length; i += removedMax) {
      const page = gone.slice(i, i + removedMax)
      await this.documents.putAll(page.flatMap((key) => changes.get(key)!))
    }
    return gone.length
  }

  /** All messages of a queue, those that failed first. */
  private async *all(queue: DeliveryQueue): AsyncGenerator<NotificationMessage> {
    const kindOf = timeIndexedKind(kind, queue.tenant)
    const to = queueEnd(queue)
    let from = queueStart(queue.notificationId)
    for (;;) {
      const page = await this.documents.list(kindOf, { from, to, limit: pageMax })
      for (const { document } of page) yield (document as StoredMessage).notice
      if (page.length < pageMax) return
      from = keyAfter(page.at(-1)!.id)
    }
  }
}

interface StoredMessage {
  readonly notice: NotificationMessage
}

interface StoredRetry extends MessageRetry {
  readonly version: number
  readonly incidentId: string | null
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

/** The changes that remove a message, tried or not, and its state. */
function removalOf(tenant: TenantIndex, key: string): DocumentChange[] {
  const ofMessage = { kind: timeIndexedKind(kind, tenant), document: null }
  return [
    { ...ofMessage, id: key },
    { ...ofMessage, id: failedKey(key) },
    { kind: timeIndexedKind(retryKind, tenant), id: key, document: null },
  ]
}

function failureChange(
  { tenant, notificationId }: DeliveryQueue,
  failure: QueueFailure | null,
): DocumentChange {
  const document = failure === null ? null : { version: failureVersion, ...failure }
  return { kind: timeIndexedKind(queueKind, tenant), id: String(notificationId), document }
}

/** The key of the message of a state, once an attempt failed. */
function failedKey(key: string): string {
  return key.replace("/", `/${failedMark}`)
}

function queueStart(notificationId: number): string {
  assert(Number.isInteger(notificationId), `Expected a whole number, got ${notificationId}`)
  return `${String(notificationId).padStart(16, "0")}/`
}

/** "0" follows "/". */
function queueEnd({ notificationId }: DeliveryQueue): string {
  return queueStart(notificationId).replace("/", "0")
}
