/** The first call of the pages: repeated until the server answers, by a clock of the test. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { ApiError, ConnectionError } from "../../src/web/api/client.ts"
import { StartAttempts } from "../../src/web/frame/start/start-attempts.ts"
import { BrowserClock } from "../support/time/browser-clock.ts"

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

function begin() {
  const timers = new BrowserClock()
  const calls: { resolve: () => void; reject: (error: Error) => void }[] = []
  let isStarted = false
  const load = (abort: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      abort.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")))
      calls.push({ resolve, reject })
    })
  const attempts = new StartAttempts({ load, after: timers.after })
  void attempts.run().then(() => (isStarted = true))
  return {
    attempts,
    count: () => calls.length,
    isStarted: () => isStarted,
    seconds: () => attempts.state.value?.secondsLeft,
    failure: () => attempts.state.value?.failure?.message,
    async answer() {
      calls.at(-1)!.resolve()
      await settled()
    },
    async fail(error: Error) {
      calls.at(-1)!.reject(error)
      await settled()
    },
    async pass(ms: number) {
      timers.pass(ms)
      await settled()
    },
  }
}

const busy = (retrySeconds: number | null) => new ApiError(503, ["Compacting"], retrySeconds)

test("attempts are 2, 4, 8, 16 and then 30 s apart, counted down, until one succeeds", async () => {
  const start = begin()
  for (const seconds of [2, 4, 8, 16, 30, 30]) {
    await start.fail(busy(null))
    assert.deepEqual([start.seconds(), start.failure()], [seconds, "Compacting"])
    const count = start.count()
    await start.pass((seconds - 1) * 1000)
    assert.deepEqual([start.seconds(), start.count()], [1, count])
    await start.pass(1000)
    assert.deepEqual([start.seconds(), start.count()], [null, count + 1])
  }
  await start.answer()
  assert.equal(start.isStarted(), true)
})

test("a server that says when to try again is believed, within bounds", async () => {
  const start = begin()
  for (const [asked, seconds] of [
    [7, 7],
    [0, 1],
    [86_400, 300],
  ] as const) {
    await start.fail(busy(asked))
    assert.equal(start.seconds(), seconds)
    start.attempts.retry()
    await settled()
    assert.equal(start.seconds(), null)
  }
})

test("a first attempt is seen after 5 s, and given up after 30 s without an answer", async () => {
  const start = begin()
  await start.pass(4_999)
  assert.equal(start.attempts.state.value, null)
  await start.pass(1)
  assert.deepEqual(start.attempts.state.value, { failure: null, secondsLeft: null })
  await start.pass(25_000)
  assert.equal(start.failure(), "The server gave no answer within 30 s")
  start.attempts.retry()
  await settled()
  await start.fail(new ConnectionError("The server cannot be reached"))
  assert.equal(start.failure(), "The server cannot be reached")
  start.attempts.retry()
  await settled()
  await start.answer()
  assert.equal(start.isStarted(), true)
})
