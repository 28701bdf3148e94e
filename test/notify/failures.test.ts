/** The rules of failures: what counts for the day, for a receiver that is down, for disabling. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  fromEarlierFailure,
  isMessageGivenUp,
  isNotificationGivenUp,
  isReceiverDown,
  messageFailed,
  queueFailed,
  type FailedAttempt,
  type MessageRetry,
  type QueueFailure,
} from "../../src/notify/failures.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { startMs } from "./test-delivery.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs

function attemptOf(fields: Partial<FailedAttempt>): FailedAttempt {
  const first = { isRefusal: false, isFirst: true }
  return { messageId: "one", reason: "down", nowMs: startMs, ...first, ...fields }
}

/** A message that failed at each of these times. */
function failedAt(times: readonly number[]): MessageRetry {
  let retry: MessageRetry | null = null
  for (const nowMs of times) retry = messageFailed(retry, attemptOf({ nowMs }), seededRandom(1))
  return retry!
}

/** A queue in which these attempts failed, one each hour. */
function queueOf(attempts: readonly Partial<FailedAttempt>[]): QueueFailure | null {
  let failure: QueueFailure | null = null
  for (const [i, fields] of attempts.entries()) {
    failure = queueFailed(failure, attemptOf({ nowMs: startMs + i * hourMs, ...fields }))
  }
  return failure
}

test("a message is given up after a day of attempts, however far the clock steps", () => {
  const times = Array.from({ length: 25 }, (_, i) => startMs + i * hourMs)
  assert.equal(isMessageGivenUp(failedAt(times.slice(0, 24))), false)
  assert.equal(isMessageGivenUp(failedAt(times)), true)
  // Half a day of attempts, and then a clock that is a year ahead, right again, a year behind.
  const steps = [365 * dayMs, 0, -365 * dayMs, 0]
  const stepped = steps.map((ms) => times[12]! + ms)
  assert.equal(isMessageGivenUp(failedAt([...times.slice(0, 12), ...stepped])), false)
})

test("two hours between two attempts count for the day at most, a step back nothing", () => {
  const gaps = fc.array(fc.integer({ min: -10 * dayMs, max: 10 * dayMs }), { maxLength: 40 })
  fc.assert(
    fc.property(gaps, (gapsMs) => {
      let nowMs = startMs
      const times = [nowMs, ...gapsMs.map((gapMs) => (nowMs += gapMs))]
      const { failedMs, attempts } = failedAt(times)
      const most = gapsMs.reduce((sum, ms) => sum + Math.min(Math.max(0, ms), 2 * hourMs), 0)
      assert.equal(attempts, times.length)
      assert.equal(failedMs, most)
    }),
  )
})

test("the first failures of three messages show a receiver that is down, repeats do not", () => {
  const again = { isFirst: false }
  assert.equal(isReceiverDown(queueOf([{}, again, again, again])), false)
  assert.equal(isReceiverDown(queueOf([{}, {}, again])), false)
  assert.equal(isReceiverDown(queueOf([{}, again, {}, {}])), true)
  const refusal = { isRefusal: true }
  assert.equal(isReceiverDown(queueOf([refusal, refusal, refusal, refusal])), false)
})

test("a day disables a notification if three messages failed, refusals included", () => {
  const f = (messages: readonly string[], want: boolean, isRefusal = false) => {
    const days = Array.from({ length: 26 }, (_, i) => messages[i % messages.length]!)
    const attempts = days.map((messageId) => ({ messageId, isRefusal }))
    assert.equal(isNotificationGivenUp(queueOf(attempts)!), want, messages.join(" "))
    assert.equal(isNotificationGivenUp(queueOf(attempts.slice(0, 20))!), false)
  }
  f(["a"], false)
  f(["a", "b"], false)
  f(["a", "b", "c"], true)
  f(["a", "b", "c", "d", "e"], true)
  f(["a", "b", "c", "d"], true, true)
})

test("a failure that an earlier version stored is one of a receiver that is down", () => {
  const earlier = { failingSinceMs: startMs, attempts: 30, dueMs: startMs + 12 * hourMs }
  const failure = fromEarlierFailure(earlier)
  assert.equal(isReceiverDown(failure), true)
  assert.deepEqual([failure.failedMs, failure.dueMs], [12 * hourMs, startMs + 12 * hourMs])
  const ahead = fromEarlierFailure({ ...earlier, failingSinceMs: startMs + 365 * dayMs })
  assert.equal(ahead.failedMs, 0)
  const behind = fromEarlierFailure({ ...earlier, attempts: 1, failingSinceMs: 0 })
  assert.ok(behind.failedMs < dayMs)
})
