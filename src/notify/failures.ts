/**
 * Failures of messages and queues, as pure rules: how long something has failed, when the receiver
 * is taken for down, and when a message or a notification is given up.
 */

import type { Random } from "../base/random.ts"
import { dayMs, hourMs } from "../model/resolution.ts"
import { retryAfterMs } from "./backoff.ts"

/** A message or a notification that fails for this time is given up. */
const giveUpAfterMs = dayMs
/**
 * The time between two failed attempts counts up to this: waits are shorter, so the rest is a step
 * of the clock or a time without a server. A day has twelve attempts at least.
 */
const gapMsMax = 2 * hourMs
/** The receiver is taken for down after this number of messages: one or two may be at fault. */
export const failuresInRowMax = 3
/** A notification is disabled only if this many different messages failed, for the same reason. */
const failedMessagesMin = 3

/** Failed attempts since the last success. */
interface Failures {
  readonly attempts: number
  /** For how long they have lasted; see `gapMsMax`. */
  readonly failedMs: number
  /** When the latest attempt failed. */
  readonly latestMs: number
  /** Why it failed. */
  readonly reason: string | null
}

/** The state of a message that waits for another attempt. */
export interface MessageRetry extends Failures {
  readonly dueMs: number
}

/** The state of a queue whose last attempt failed. */
export interface QueueFailure extends Failures {
  /** Ids of different messages that failed, `failedMessagesMin` at most. */
  readonly messageIds: readonly string[]
  /** Messages whose first attempt failed, other than by a refusal. */
  readonly firstFailures: number
  /** Passes since the receiver is taken for down, of which each is followed by a pause. */
  readonly pauses: number
  /** The end of the pause. */
  readonly dueMs: number
}

/** A failed attempt to deliver the message with the id `messageId`. */
export interface FailedAttempt {
  readonly messageId: string
  readonly reason: string
  readonly nowMs: number
  /** Whether the receiver refused the message, so that no other attempt is made. */
  readonly isRefusal: boolean
  /** Whether it was the first attempt. */
  readonly isFirst: boolean
}

const none: Failures = { attempts: 0, failedMs: 0, latestMs: 0, reason: null }

/** A message that was not tried, since an earlier one about its incident waits. */
export const heldMessage: MessageRetry = {
  ...none,
  reason: "an earlier message about the incident waits",
  dueMs: 0,
}

/** The state of a message after a failed attempt that is not the last one. */
export function messageFailed(
  former: MessageRetry | null,
  { reason, nowMs }: FailedAttempt,
  random: Random,
): MessageRetry {
  const failures = added(former, reason, nowMs)
  return { ...failures, dueMs: nowMs + retryAfterMs(failures.attempts, random) }
}

/** The state of a queue after a failed attempt. */
export function queueFailed(former: QueueFailure | null, attempt: FailedAttempt): QueueFailure {
  const { messageId, reason, nowMs, isRefusal, isFirst } = attempt
  const { messageIds = [], firstFailures = 0, pauses = 0, dueMs = nowMs } = former ?? {}
  return {
    ...added(former, reason, nowMs),
    messageIds: [...new Set([...messageIds, messageId])].slice(0, failedMessagesMin),
    firstFailures: firstFailures + (isFirst && !isRefusal ? 1 : 0),
    pauses,
    dueMs,
  }
}

/** The state of a queue after a pass that its receiver failed. */
export function queuePaused(failure: QueueFailure, nowMs: number, random: Random): QueueFailure {
  const pauses = failure.pauses + 1
  return { ...failure, pauses, dueMs: nowMs + retryAfterMs(pauses, random) }
}

/**
 * Whether the receiver is taken for down: the first attempts of several messages failed, without a
 * success since. Further attempts do not count: what fails again may be the message.
 */
export function isReceiverDown(failure: QueueFailure | null): boolean {
  return failure !== null && failure.firstFailures >= failuresInRowMax
}

/** Whether a message began to fail before its queue did: others were accepted meanwhile. */
export function failedAlone(retry: MessageRetry, queue: QueueFailure | null): boolean {
  if (retry.attempts === 0) return false
  return queue === null || beganMs(retry) < beganMs(queue)
}

function beganMs({ latestMs, failedMs }: Failures): number {
  return latestMs - failedMs
}

export function isMessageGivenUp({ failedMs }: MessageRetry): boolean {
  return failedMs >= giveUpAfterMs
}

/** Whether a notification is disabled, since its receiver is taken for removed. */
export function isNotificationGivenUp({ failedMs, messageIds }: QueueFailure): boolean {
  return failedMs >= giveUpAfterMs && messageIds.length >= failedMessagesMin
}

/** Whether the failure of a queue without messages is so long ago that it says nothing. */
export function isForgotten({ latestMs }: QueueFailure, nowMs: number): boolean {
  return Math.abs(nowMs - latestMs) >= giveUpAfterMs
}

/** A queue's failure as stored by earlier versions, which tried one message in each pass. */
export interface EarlierFailure {
  readonly failingSinceMs: number
  readonly attempts: number
  readonly dueMs: number
  /** Absent in the oldest. */
  readonly reason?: string
}

export function fromEarlierFailure(earlier: EarlierFailure): QueueFailure {
  const { failingSinceMs, attempts, dueMs, reason = null } = earlier
  const failedMs = Math.min(Math.max(0, dueMs - failingSinceMs), attempts * gapMsMax)
  const failures = { attempts, failedMs, latestMs: dueMs, reason }
  const firstFailures = failuresInRowMax
  return { ...failures, messageIds: [], firstFailures, pauses: attempts, dueMs }
}

function added(former: Failures | null, reason: string, nowMs: number): Failures {
  if (former === null || former.attempts === 0) {
    return { attempts: 1, failedMs: 0, latestMs: nowMs, reason }
  }
  const gapMs = Math.min(Math.max(0, nowMs - former.latestMs), gapMsMax)
  const failedMs = former.failedMs + gapMs
  return { attempts: former.attempts + 1, failedMs, latestMs: nowMs, reason }
}
