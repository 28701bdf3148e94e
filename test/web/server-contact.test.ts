/** The stream of a tab and whether the server answers, by a clock of the test. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { signal } from "@preact/signals"
import { streamTimeMs } from "../../src/base/limits/streams.ts"
import { LiveStream } from "../../src/web/frame/live/live-stream.ts"
import { ServerContact, signMsMax, waitMsMin } from "../../src/web/frame/live/server-contact.ts"
import { ServerClock } from "../../src/web/frame/server-clock.ts"
import { BrowserClock } from "../support/time/browser-clock.ts"

/** Of the server when the browser's clock said 0. */
const beginMs = Date.UTC(2026, 10, 27, 16, 22)
const at = (ms: number) => beginMs + ms
/** After which a connection without messages is given up. */
const deadMs = 20_000

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A page whose server is the test; `connect` answers the newest call of the stream. */
async function openPage({ speed = 1 } = {}) {
  const timers = new BrowserClock()
  const clock = new ServerClock(timers.elapsedMs)
  clock.set(beginMs, speed)
  const waitingCount = signal(0)
  const answerCount = signal(0)
  const calls: { onText: (text: string) => void; end: (error?: Error) => void }[] = []
  const pieces = (
    { signal: abort }: { readonly signal?: AbortSignal },
    _lastId: string | null,
    onText: (text: string) => void,
  ) =>
    new Promise<void>((resolve, reject) => {
      const end = (error?: Error) => (error === undefined ? resolve() : reject(error))
      abort?.addEventListener("abort", () => end(new Error("aborted")))
      calls.push({ onText, end })
    })
  const live = new LiveStream({ api: { pieces }, clock, timers })
  const contact = new ServerContact({ api: { waitingCount, answerCount }, live, clock, timers })
  contact.watch()
  live.run()
  const message = () => {
    const serverTime = at(timers.elapsedMs() * speed)
    const data = JSON.stringify({ serverTime, speed })
    calls.at(-1)!.onText(`id: 1\nevent: time\ndata: ${data}\n\n`)
  }
  return {
    timers,
    message,
    /** Time passes, with a message at each interval of the server. */
    async passWithMessages(ms: number) {
      for (let passed = 0; passed < ms; passed += streamTimeMs) {
        timers.pass(streamTimeMs)
        message()
      }
    },
    /** Calls of the stream so far. */
    streams: () => calls.length,
    /** Begins a call; the function answers it. */
    ask: () => {
      waitingCount.value++
      return () => {
        answerCount.value++
        waitingCount.value--
      }
    },
    async end() {
      calls.at(-1)!.end()
      await settled()
    },
    state: () => live.state.value.kind,
    isStale: () => live.state.value.kind === "lost" && live.state.value.isStale,
    since: () => contact.silentSince.value,
    watchWait: (onLong: (since: number) => void) => contact.watchWait(onLong),
  }
}

test("a page waits longer than the interval of the server's time", () => {
  assert.ok(signMsMax > streamTimeMs && signMsMax <= streamTimeMs + 2_000)
})

test("a frozen server is silent since its last message, until the next one", async () => {
  const page = await openPage()
  page.message()
  await page.passWithMessages(60_000)
  assert.equal(page.since(), null)
  page.timers.pass(signMsMax - 1)
  assert.equal(page.since(), null)
  page.timers.pass(1)
  assert.equal(page.since(), at(60_000))
  assert.equal(page.state(), "connected")
  page.timers.pass(6_000)
  page.message()
  assert.equal(page.since(), null)
  assert.equal(page.streams(), 1)
})

test("a wait of 5 s has its begin by the server's clock, a shorter one has none", async () => {
  const page = await openPage({ speed: 60 })
  const begins: number[] = []
  page.timers.pass(1_000)
  page.watchWait((since) => begins.push(since))
  const end = page.watchWait(() => assert.fail("Expected a wait that ended to be over"))
  page.timers.pass(waitMsMin - 1)
  end()
  assert.deepEqual(begins, [])
  page.timers.pass(1)
  assert.deepEqual(begins, [at(60_000)])
})

test("a call without an answer is silence if no stream is there, and not before 5 s", async () => {
  const page = await openPage()
  page.timers.pass(1_000)
  page.ask()()
  page.timers.pass(9_000)
  assert.equal(page.since(), null)
  const answer = page.ask()
  page.timers.pass(5_000)
  assert.equal(page.since(), null)
  page.timers.pass(1_000)
  assert.equal(page.since(), at(1_000))
  answer()
  assert.equal(page.since(), null)
  page.timers.pass(3_000)
  assert.equal(page.since(), null)
})

test("a long call is no silence while messages come, or other answers", async () => {
  const streamed = await openPage()
  streamed.message()
  streamed.ask()
  await streamed.passWithMessages(60_000)
  assert.equal(streamed.since(), null)
  const asking = await openPage()
  asking.ask()
  for (let call = 0; call < 10; call++) {
    const answer = asking.ask()
    asking.timers.pass(4_000)
    answer()
  }
  assert.equal(asking.since(), null)
})

test("a connection that stays silent is made again; the time of the last sign stays", async () => {
  const page = await openPage()
  page.message()
  page.timers.pass(deadMs)
  await settled()
  assert.deepEqual([page.state(), page.since()], ["lost", at(0)])
  page.timers.pass(60_000)
  assert.equal(page.isStale(), true)
  assert.equal(page.since(), at(0))
  assert.equal(page.streams(), 2)
  page.message()
  assert.deepEqual([page.state(), page.since()], ["connected", null])
})

test("a stream that ends is silence after 5 s without another one or answers", async () => {
  const page = await openPage()
  page.message()
  page.timers.pass(2_000)
  await page.end()
  page.timers.pass(1_000)
  page.message()
  page.timers.pass(5_000)
  assert.equal(page.since(), null)
  page.message()
  await page.end()
  page.timers.pass(4_999)
  assert.equal(page.since(), null)
  page.timers.pass(1)
  assert.equal(page.since(), at(8_000))

  const answered = await openPage()
  answered.message()
  await answered.end()
  const answer = answered.ask()
  answered.timers.pass(2_000)
  answer()
  answered.timers.pass(10_000)
  assert.deepEqual([answered.isStale(), answered.since()], [true, null])
})

test("a stream that never comes, as behind a proxy that buffers, is no silence", async () => {
  const page = await openPage()
  page.timers.pass(deadMs)
  await settled()
  page.timers.pass(5_000)
  assert.deepEqual([page.isStale(), page.since()], [true, null])
})

test("intervals are of the browser's clock, times of the server's", async () => {
  const page = await openPage({ speed: 100 })
  page.message()
  await page.passWithMessages(10_000)
  page.timers.pass(signMsMax)
  assert.equal(page.since(), at(1_000_000))
})

test("late timers of a browser, and a tab that is shown later, give the server time", async () => {
  const page = await openPage()
  page.message()
  page.timers.sleep(120_000)
  assert.equal(page.since(), null)
  page.message()
  page.timers.pass(5_900)
  page.timers.show(false)
  page.timers.show(true)
  page.timers.pass(5_900)
  assert.equal(page.since(), null)
  page.timers.pass(100)
  assert.notEqual(page.since(), null)
})

test("the stream of a hidden tab is closed after 30 s, which is no silence", async () => {
  const page = await openPage()
  page.message()
  page.timers.show(false)
  await page.passWithMessages(25_000)
  page.timers.pass(5_000)
  await settled()
  assert.equal(page.state(), "closed")
  page.timers.pass(600_000)
  assert.equal(page.since(), null)
  page.timers.show(true)
  page.message()
  assert.deepEqual([page.state(), page.since()], ["connected", null])
})
