import assert from "node:assert/strict"
import { test } from "node:test"
import { silentLogger } from "../../src/base/log.ts"
import { ServiceManager, takeWatchdog } from "../../src/server/startup/service-manager.ts"

/** A manager with the messages that it sent, and its timer, which runs when a test ticks it. */
function connected(watchdogMs: number | null = 60_000) {
  const sent: string[] = []
  const timer = { everyMs: 0, tick: () => {}, isOn: false }
  const warnings: string[] = []
  const manager = new ServiceManager({
    notify: (lines) => void sent.push(lines.join(" ")),
    watchdogMs,
    monotonicUs: () => 5n,
    repeat: (callback, everyMs) => {
      Object.assign(timer, { everyMs, tick: callback, isOn: true })
      return () => (timer.isOn = false)
    },
    log: { warn: (_, message) => void warnings.push(message) },
  })
  const taken = () => sent.splice(0)
  return { manager, taken, timer, warnings }
}

const server = (ping: () => Promise<unknown>, reasons: readonly string[] = []) => ({
  url: "http://a",
  ping,
  notReady: () => reasons,
})
const settled = () => new Promise((resolve) => setImmediate(resolve))

test("a start asks for more time until it is ready, a stop until it ends", () => {
  const { manager, taken, timer } = connected()
  manager.starting()
  timer.tick()
  manager.ready(server(async () => {}))
  assert.deepEqual(taken(), [
    "STATUS=Starting: the store is opened and checked EXTEND_TIMEOUT_USEC=30000000",
    "EXTEND_TIMEOUT_USEC=30000000",
    "READY=1 STATUS=Listening on http://a",
  ])
  manager.stopping()
  timer.tick()
  assert.match(taken().join(), /^STOPPING=1 .*EXTEND_TIMEOUT_USEC=\d+,EXTEND_TIMEOUT_USEC=\d+$/)
})

test("a server that a signal stopped during its start is not announced as ready", () => {
  const { manager, taken } = connected()
  manager.stopping()
  taken()
  manager.ready(server(async () => {}))
  assert.deepEqual(taken(), [])
})

test("the watchdog is fed at half of its time, by the answer of the shard alone", async () => {
  const { manager, taken, timer, warnings } = connected(60_000)
  let answer = () => {}
  manager.ready(server(() => new Promise<void>((resolve) => (answer = resolve))))
  taken()
  assert.equal(timer.everyMs, 30_000)
  timer.tick()
  timer.tick()
  await settled()
  assert.deepEqual(taken(), [], "the thread hangs")
  answer()
  await settled()
  assert.deepEqual(taken(), ["WATCHDOG=1 STATUS=Listening on http://a"])
  timer.tick()
  answer()
  await settled()
  assert.equal(taken().length, 1)
  assert.deepEqual(warnings, [])
})

test("a thread that failed is not alive; the log says so", async () => {
  const { manager, taken, timer, warnings } = connected()
  manager.ready(server(() => Promise.reject(new Error("ended"))))
  taken()
  timer.tick()
  await settled()
  assert.deepEqual(taken(), [])
  assert.match(warnings.join(), /no answer/)
})

test("the status names the first reason why the server is not ready, on one line", () => {
  const { manager, taken } = connected(null)
  manager.ready(server(async () => {}, ["The disk\nis full", "other"]))
  assert.deepEqual(taken(), ["READY=1 STATUS=Not ready: The disk is full"])
})

test("a reload is announced before and after, also one that throws", () => {
  const { manager, taken } = connected()
  manager.reloading(() => assert.equal(taken().join(), "RELOADING=1 MONOTONIC_USEC=5"))
  assert.throws(() => manager.reloading(() => assert.fail("refused")), /refused/)
  assert.deepEqual(taken(), ["READY=1", "RELOADING=1 MONOTONIC_USEC=5", "READY=1"])
})

test("a manager that cannot be reached is logged once, and the server goes on", () => {
  const warnings: string[] = []
  const manager = new ServiceManager({
    notify: () => assert.fail("no socket"),
    watchdogMs: null,
    monotonicUs: () => 0n,
    repeat: () => () => {},
    log: { ...silentLogger, warn: (_, message) => void warnings.push(message) },
  })
  manager.starting()
  manager.ready(server(async () => {}))
  assert.deepEqual(warnings, ["the service manager cannot be notified"])
})

test("the watchdog is that of this process; the variables are removed", () => {
  const f = (env: Record<string, string>, want: number | null) => {
    assert.equal(takeWatchdog(env, 7), want)
    assert.deepEqual(env, {})
  }
  f({ WATCHDOG_USEC: "60000000" }, 60_000)
  f({ WATCHDOG_USEC: "60000000", WATCHDOG_PID: "7" }, 60_000)
  f({ WATCHDOG_USEC: "60000000", WATCHDOG_PID: "8" }, null)
  f({ WATCHDOG_USEC: "0" }, null)
  f({ WATCHDOG_USEC: "x" }, null)
  f({}, null)
})
