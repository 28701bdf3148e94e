/**
 * One pass over a delivery queue: messages that are due and those that were never tried, oldest
 * first, and then those that failed although others were accepted.
 *
 *   delivered   the next message
 *   refused     given up; the next message
 *   failed      waits for its own next attempt; the next message, unless several failed in a row
 *
 * Order holds for the messages of an incident: one waits while an earlier one does. A receiver that
 * is taken for down gets a few messages each pass, and after a success all that wait.
 */

import type { Clock } from "../base/clock.ts"
import { smallestOf } from "../base/iterables.ts"
import type { Logger } from "../base/log.ts"
import type { Random } from "../base/random.ts"
import type { DeliveryOutcome } from "../model/records/delivery.ts"
import type { NotificationMessage } from "../model/records/notification-message.ts"
import { firstRetryMs, isWaitOver, longestWaitMs, retryMsMax } from "./backoff.ts"
import {
  failedAlone,
  failuresInRowMax,
  heldMessage,
  isForgotten,
  isMessageGivenUp,
  isNotificationGivenUp,
  isReceiverDown,
  messageFailed,
  queueFailed,
  queuePaused,
  type FailedAttempt,
  type MessageRetry,
  type QueueFailure,
} from "./failures.ts"
import { messageKey, type DeliveryQueue, type Outbox, type WaitingMessage } from "./outbox.ts"

/** The result of one attempt to deliver a message. */
export type AttemptResult =
  /** `reason` says which recipients did not get it; null if all did. */
  | { readonly state: "delivered"; readonly reason: string | null }
  | { readonly state: "failed" | "refused"; readonly reason: string }
  /** The notification was removed or is disabled. */
  | { readonly state: "noRecipient" }

export interface QueuePassDeps {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly random: Random
  readonly log: Pick<Logger, "info" | "warn" | "error">
  readonly attempt: (queue: DeliveryQueue, message: NotificationMessage) => Promise<AttemptResult>
  /** Whether the notification of a queue is there and enabled. */
  readonly hasRecipient: (queue: DeliveryQueue) => Promise<boolean>
  /** Disables the notification of a queue. */
  readonly disable: (queue: DeliveryQueue) => Promise<void>
  /** Whether no further attempt is to be made. */
  readonly isStopped: () => boolean
  /** Counts of all passes since the start. */
  readonly counts: { delivered: number; failed: number; dropped: number; disabled: number }
}

/** A queue after a pass that ended at `lookedMs`. */
export interface QueueState {
  readonly lookedMs: number
  /** When the next pass is due; a message that was never tried begins one before, if not paused. */
  readonly dueMs: number
  readonly isPaused: boolean
  /** Whether the last attempt failed. */
  readonly isFailing: boolean
  /** Messages that wait for another attempt. */
  readonly waitingCount: number
  /** Why the last attempt failed. */
  readonly reason: string | null
}

export class QueuePass {
  private readonly queue: DeliveryQueue
  private readonly deps: QueuePassDeps
  private failure: QueueFailure | null = null
  /** By key; messages of one incident in order of time. */
  private waiting = new Map<string, WaitingMessage>()
  /** Keys of messages that were tried in this pass. */
  private readonly tried = new Set<string>()
  private failedInRow = 0
  private isOver = false

  constructor(queue: DeliveryQueue, deps: QueuePassDeps) {
    this.queue = queue
    this.deps = deps
  }

  /** Returns null if nothing waits and nothing failed lately. */
  async run(): Promise<QueueState | null> {
    const { outbox } = this.deps
    this.failure = await outbox.failure(this.queue)
    const found = await outbox.waiting(this.queue)
    this.waiting = new Map(found.map((one) => [one.key, one]))
    if (!isPaused(this.failure, this.nowMs)) await this.work()
    return this.deps.isStopped() ? null : this.state()
  }

  private async work(): Promise<void> {
    const wasDown = isReceiverDown(this.failure)
    const before = this.failure
    const isDue = ({ retry }: WaitingMessage) => wasDown || isWaitOver(retry, this.nowMs)
    if (wasDown) await this.probe()
    const parts = [
      () => this.retryAll((one) => isDue(one) && !failedAlone(one.retry, before), inOrderOfTime),
      () => this.sendUntried(),
      // By turns, since there may be more than a pass tries.
      () => this.retryAll(isDue, ({ retry }) => retry.latestMs),
    ]
    for (const part of parts) {
      if (isReceiverDown(this.failure)) break
      this.failedInRow = 0
      await part()
    }
    if (isReceiverDown(this.failure) && this.failedInRow > 0) await this.pause()
  }

  /** Tries a receiver that is down, until a success or until several attempts failed. */
  private async probe(): Promise<void> {
    // The oldest is first, so that order of time holds once the receiver is back; then those that
    // were tried least, so that messages that always fail do not keep the others from being tried.
    const oldest = this.free().find(({ retry }) => !failedAlone(retry, this.failure))
    if (oldest !== undefined && this.goesOn()) await this.retry(oldest)
    await this.sendUntried({ isDown: true })
    await this.retryAll(
      () => true,
      ({ retry }) => retry.attempts,
      { isDown: true },
    )
  }

  /** Tries messages that wait, each once in a pass, those with the lowest rank first. */
  private async retryAll(
    isWanted: (one: WaitingMessage) => boolean,
    rank: (one: WaitingMessage) => number,
    { isDown } = { isDown: false },
  ): Promise<void> {
    while (this.goesOn() && isReceiverDown(this.failure) === isDown) {
      const wanted = this.free().filter((one) => !this.tried.has(one.key) && isWanted(one))
      const [next] = wanted.sort((one, other) => rank(one) - rank(other))
      if (next === undefined) return
      await this.retry(next)
    }
  }

  private async sendUntried({ isDown } = { isDown: false }): Promise<void> {
    const { outbox } = this.deps
    while (this.goesOn() && isReceiverDown(this.failure) === isDown) {
      const message = await outbox.untried(this.queue)
      if (message === undefined) return
      if (this.isHeld(message)) await this.postpone(message, heldMessage)
      else await this.attempt(message, null)
    }
  }

  private get nowMs(): number {
    return this.deps.clock.nowMs()
  }

  private goesOn(): boolean {
    return !this.isOver && !this.deps.isStopped() && this.failedInRow < failuresInRowMax
  }

  /** Messages that no earlier one about their incident holds back, oldest first. */
  private free(): WaitingMessage[] {
    const held = new Set<string>()
    return [...this.waiting.values()].filter(({ incidentId }) => {
      if (incidentId === null) return true
      const isFree = !held.has(incidentId)
      held.add(incidentId)
      return isFree
    })
  }

  private isHeld({ incidentId }: NotificationMessage): boolean {
    if (incidentId === undefined) return false
    return [...this.waiting.values()].some((one) => one.incidentId === incidentId)
  }

  private async retry(one: WaitingMessage): Promise<void> {
    const message = await this.deps.outbox.message(this.queue, one)
    if (message !== undefined) return this.attempt(message, one.retry)
    await this.deps.outbox.forget(this.queue, one)
    this.waiting.delete(one.key)
  }

  private async attempt(message: NotificationMessage, former: MessageRetry | null): Promise<void> {
    const { counts, log } = this.deps
    this.tried.add(messageKey(message))
    const result = await this.deps.attempt(this.queue, message)
    if (result.state === "noRecipient") {
      return this.dropAll("the notification is disabled or removed")
    }
    if (result.state !== "delivered") {
      const isRefusal = result.state === "refused"
      const isFirst = former === null || former.attempts === 0
      const about = { messageId: message.id, isRefusal, isFirst, nowMs: this.nowMs }
      return this.failed(message, former, { ...about, reason: result.reason })
    }
    this.failure = null
    this.failedInRow = 0
    const { reason } = result
    if (reason !== null) {
      log.warn({ ...this.queue, messageId: message.id, reason }, "a mail was delivered in part")
    }
    await this.remove(message, result)
    counts.delivered++
  }

  private async failed(
    message: NotificationMessage,
    former: MessageRetry | null,
    attempt: FailedAttempt,
  ): Promise<void> {
    const { random, counts, log } = this.deps
    const { reason, isRefusal } = attempt
    const retry = messageFailed(former, attempt, random)
    const { attempts } = retry
    counts.failed++
    log.warn(
      { ...this.queue, messageId: message.id, attempts, isRefusal, reason },
      "a notification could not be delivered",
    )
    this.failure = queueFailed(this.failure, attempt)
    if (isNotificationGivenUp(this.failure)) return this.giveUp(reason)
    if (isRefusal) return this.remove(message, { state: "failed", reason })
    this.failedInRow++
    if (isMessageGivenUp(retry)) {
      return this.remove(message, { state: "failed", reason: `it failed for a day: ${reason}` })
    }
    await this.postpone(message, retry)
  }

  private async postpone(message: NotificationMessage, retry: MessageRetry): Promise<void> {
    await this.deps.outbox.postpone(message, retry, this.failure)
    const key = messageKey(message)
    this.waiting.set(key, { key, incidentId: message.incidentId ?? null, retry })
  }

  /** Removes a message: delivered, or given up for a reason. */
  private async remove(
    message: NotificationMessage,
    { state, reason }: Pick<DeliveryOutcome, "state" | "reason">,
  ): Promise<void> {
    const { outbox, counts } = this.deps
    await outbox.end(message, { state, timeMs: this.nowMs, reason }, this.failure)
    this.waiting.delete(messageKey(message))
    if (state === "failed") counts.dropped++
  }

  private async pause(): Promise<void> {
    const { outbox, random } = this.deps
    if (this.failure === null) return
    this.failure = queuePaused(this.failure, this.nowMs, random)
    await outbox.setFailure(this.queue, this.failure)
  }

  private async giveUp(reason: string): Promise<void> {
    const { disable, counts, log } = this.deps
    await disable(this.queue)
    counts.disabled++
    log.error({ ...this.queue }, "a notification failed for a day and was disabled")
    await this.dropAll(`the notification failed for a day: ${reason}`)
  }

  private async dropAll(reason: string): Promise<void> {
    const { outbox, counts, log } = this.deps
    const dropped = await outbox.drop(this.queue, { reason, nowMs: this.nowMs })
    await outbox.setFailure(this.queue, null)
    counts.dropped += dropped
    log.info({ ...this.queue, dropped, reason }, "messages were dropped")
    this.waiting.clear()
    this.failure = null
    this.isOver = true
  }

  private async state(): Promise<QueueState | null> {
    const { waiting, failure } = this
    const lookedMs = this.nowMs
    const isFailing = failure !== null
    const reason = failure?.reason ?? null
    const common = { lookedMs, isFailing, reason, waitingCount: waiting.size }
    if (isFailing && isPaused(failure, lookedMs)) {
      return { ...common, isPaused: true, dueMs: failure.dueMs }
    }
    const state = { ...common, isPaused: false }
    if (waiting.size > 0) return { ...state, dueMs: this.nextDueMs(lookedMs) }
    if (failure === null) return null
    const isKept = !isForgotten(failure, lookedMs) && (await this.deps.hasRecipient(this.queue))
    if (isKept) return { ...state, dueMs: lookedMs + retryMsMax }
    await this.deps.outbox.setFailure(this.queue, null)
    return null
  }

  /** Messages that are due already, and were left for the next pass, are due after a short wait. */
  private nextDueMs(nowMs: number): number {
    const earliest = smallestOf(this.free().map(({ retry }) => retry.dueMs))
    const latest = nowMs + longestWaitMs(Infinity)
    return Math.min(Math.max(earliest, nowMs + firstRetryMs), latest)
  }
}

/** The rank of messages that are tried in the order in which they wait. */
const inOrderOfTime = () => 0

function isPaused(failure: QueueFailure | null, nowMs: number): boolean {
  if (failure === null || !isReceiverDown(failure)) return false
  return !isWaitOver({ attempts: failure.pauses, dueMs: failure.dueMs }, nowMs)
}
