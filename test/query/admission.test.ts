import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { QueryBudget } from "../../src/base/query-budget.ts"
import { ServiceError, type ErrorCode } from "../../src/base/errors.ts"
import {
  heavyUsageMs,
  longQueryMs,
  longQueryOfHeavyUserMs,
  queriesMax,
  queriesPerTenantMax,
  queriesPerUserMax,
} from "../../src/base/limits/queries.ts"
import { Admission, type QueryClient, type Turn } from "../../src/query/admission/admission.ts"

const timeoutMs = 10_000

interface Work {
  readonly name: string
  readonly turn: Turn
  readonly finish: () => void
}

interface Asked {
  readonly end: () => string
}

/** A manual clock, and work that ends on request or when its stop flag is set. */
class AdmissionFixture {
  nowMs = 0
  readonly durations: number[] = []
  readonly running: Work[] = []
  readonly began: string[] = []
  readonly admission: Admission
  private timers: { callback: () => void; dueMs: number }[] = []

  constructor(threads = 1, prepareExtra?: () => Promise<void>) {
    this.admission = new Admission({
      threads,
      ...(prepareExtra === undefined ? {} : { prepareExtra }),
      timeoutMs,
      elapsedMs: () => this.nowMs,
      delay: (callback, ms) => {
        const timer = { callback, dueMs: this.nowMs + ms }
        this.timers.push(timer)
        return () => void (this.timers = this.timers.filter((one) => one !== timer))
      },
      onAnswered: (durationMs) => this.durations.push(durationMs),
    })
  }

  /** `end` gives the answer, the code of the error, or "open". */
  ask(name: string, asker: Partial<QueryClient> = {}, before?: () => Promise<void>): Asked {
    let end = "open"
    const whole = { tenant: 1, user: name, ...asker }
    this.admission
      .run(whole, (turn) => this.work(name, turn), before)
      .then(
        (answer) => (end = answer),
        (error: ServiceError) => (end = error.code),
      )
    return { end: () => end }
  }

  private work(name: string, turn: Turn): Promise<string> {
    this.began.push(name)
    return new Promise((resolve, reject) => {
      const done = (): void => void this.running.splice(this.running.indexOf(work), 1)
      const finish = (): void => {
        done()
        resolve(`answer of ${name}`)
      }
      const work = { name, turn, finish }
      this.running.push(work)
      this.looks.push(() => {
        if (!this.running.includes(work)) return
        const budget = new QueryBudget()
        budget.begin(turn.stop)
        try {
          budget.check()
        } catch (error) {
          done()
          reject(error)
        }
      })
    })
  }

  /** Every thread checks its flag. */
  readonly looks: (() => void)[] = []
  async look(): Promise<void> {
    for (const one of this.looks) one()
    await settled()
  }

  async finish(name: string): Promise<void> {
    this.running.find((one) => one.name === name)!.finish()
    await settled()
  }

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms
    for (;;) {
      const due = this.timers.filter(({ dueMs }) => dueMs <= untilMs)
      const [next] = due.sort((left, right) => left.dueMs - right.dueMs)
      if (next === undefined) break
      this.timers = this.timers.filter((one) => one !== next)
      this.nowMs = Math.max(this.nowMs, next.dueMs)
      next.callback()
      await settled()
    }
    this.nowMs = untilMs
    await settled()
  }

  get names(): string[] {
    return this.running.map(({ name }) => name)
  }
}

async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

test("a query runs on a free thread, and its duration is reported", async () => {
  const world = new AdmissionFixture()
  const asked = world.ask("a")
  await settled()
  assert.deepEqual(world.names, ["a"])
  assert.equal(world.running[0]!.turn.isExtra, false)
  await world.pass(25)
  await world.finish("a")
  assert.equal(asked.end(), "answer of a")
  assert.deepEqual(world.durations, [25])
})

test("the work before a query takes no thread, and its failure fails the query", async () => {
  const world = new AdmissionFixture()
  let go = (): void => {}
  const slow = world.ask("slow", {}, () => new Promise((resolve) => (go = resolve)))
  const quick = world.ask("quick")
  const failing = world.ask("failing", {}, async () => {
    throw new ServiceError("readOnly", "full")
  })
  await settled()
  assert.deepEqual(world.names, ["quick"])
  await world.finish("quick")
  go()
  await settled()
  await world.finish("slow")
  assert.deepEqual(
    [slow.end(), quick.end(), failing.end()],
    ["answer of slow", "answer of quick", "readOnly"],
  )
})

test("a query times out while it waits and while it runs, and its thread is stopped", async () => {
  const world = new AdmissionFixture()
  const running = world.ask("running")
  await settled()
  await world.pass(1)
  const short = world.ask("short")
  await settled()
  await world.pass(longQueryMs)
  assert.deepEqual(world.names, ["running", "short"], "a second thread serves beside a long one")
  const waiting = world.ask("waiting", { user: "running" })
  await settled()
  await world.pass(timeoutMs)
  assert.deepEqual([running.end(), short.end()], ["timedOut", "timedOut"])
  assert.equal(waiting.end(), "timedOut")
  assert.equal(world.admission.figures.timedOut, 3)
  assert.ok(world.admission.overdueMs() > 0, "threads still work on them")
  await world.look()
  assert.deepEqual(world.names, [])
  assert.equal(world.admission.overdueMs(), 0)
  assert.equal(world.admission.figures.running, 0)
})

test("a client that leaves frees its thread, or its queue position", async () => {
  const world = new AdmissionFixture()
  const [first, second, third] = [0, 1, 2].map(() => new AbortController())
  const running = world.ask("running", { signal: first!.signal })
  const waiting = world.ask("waiting", { signal: second!.signal })
  third!.abort()
  const gone = world.ask("gone", { signal: third!.signal })
  await settled()
  second!.abort()
  await settled()
  assert.deepEqual([waiting.end(), gone.end()], ["cancelled", "cancelled"])
  first!.abort()
  await settled()
  assert.equal(running.end(), "cancelled")
  assert.deepEqual(world.names, ["running"])
  await world.look()
  assert.deepEqual(world.names, [])
  const { cancelled, waiting: left, running: still } = world.admission.figures
  assert.deepEqual([cancelled, left, still], [3, 0, 0])
  const next = world.ask("next")
  await settled()
  await world.finish("next")
  assert.equal(next.end(), "answer of next")
  assert.deepEqual(world.began, ["running", "next"])
})

test("a light user is served next to heavy users", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 4, max: 12 }),
      fc.boolean(),
      async (threads, attackers, isOneTenant) => {
        const world = new AdmissionFixture(threads)
        for (let i = 0; i < attackers; i++) {
          for (let n = 0; n < 4; n++) world.ask(`evil ${i} ${n}`, { user: `evil ${i}` })
        }
        await settled()
        // Threads check their flags often.
        const passUntil = async (isReached: () => boolean, maxMs: number) => {
          for (let at = 0; at < maxMs && !isReached(); at += 10) {
            await world.pass(10)
            await world.look()
          }
        }
        // Until each has some use: among users without use the first one goes first.
        await passUntil(() => false, (attackers + 2) * longQueryMs)
        for (let n = 0; n < 3; n++) {
          const asked = world.ask("light", { tenant: isOneTenant ? 1 : 2 })
          await settled()
          await passUntil(() => world.names.includes("light"), longQueryMs + 30)
          assert.ok(world.names.includes("light"), `not begun beside ${world.names.join()}`)
          await world.pass(20)
          await world.finish("light")
          assert.equal(asked.end(), "answer of light")
        }
        assert.ok(world.running.length <= threads + 1)
      },
    ),
    { numRuns: 20 },
  )
})

test("a preempted long query restarts on a thread for long ones", async () => {
  const world = new AdmissionFixture()
  const first = world.ask("first")
  await settled()
  await world.pass(longQueryMs)
  const second = world.ask("second")
  await settled()
  await world.pass(longQueryMs)
  assert.deepEqual(world.names, ["first", "second"])
  world.ask("light")
  await settled()
  // The first has run for longer: it gives way.
  await world.look()
  assert.deepEqual(world.names, ["second", "light"])
  await world.finish("light")
  assert.deepEqual(world.names, ["second"], "one thread is kept for others")
  await world.finish("second")
  assert.deepEqual(world.names, ["first"])
  await world.finish("first")
  assert.deepEqual([first.end(), second.end()], ["answer of first", "answer of second"])
  assert.equal(world.admission.figures.preempted, 1)
  assert.deepEqual(world.began, ["first", "second", "light", "first"])
})

test("a heavy user is preempted sooner", async () => {
  const world = new AdmissionFixture()
  world.ask("much", { user: "heavy" })
  await settled()
  await world.pass(heavyUsageMs + 1_000)
  world.ask("more", { user: "heavy" })
  await settled()
  assert.deepEqual(world.names, ["much", "more"])
  world.ask("light")
  await settled()
  await world.pass(longQueryOfHeavyUserMs - 1)
  await world.look()
  assert.deepEqual(world.names, ["much", "more"])
  await world.pass(1)
  await world.look()
  assert.deepEqual(world.names, ["much", "light"])
})

test("the extra thread is started before it gets a query", async () => {
  let ready = (): void => assert.fail("Expected it to be asked for")
  const world = new AdmissionFixture(1, () => new Promise((resolve) => (ready = resolve)))
  world.ask("long")
  world.ask("other")
  await settled()
  await world.pass(3 * longQueryMs)
  assert.deepEqual(world.names, ["long"])
  ready()
  await settled()
  assert.deepEqual(world.names, ["long", "other"])
})

test("after a long query the extra thread is started although no query waits", async () => {
  let isAsked = false
  const world = new AdmissionFixture(1, async () => void (isAsked = true))
  world.ask("short")
  await settled()
  await world.finish("short")
  assert.equal(isAsked, false)
  world.ask("long")
  await settled()
  await world.pass(longQueryMs)
  await world.finish("long")
  assert.equal(isAsked, true)
})

test("of one user a short query does not wait for all long ones", async () => {
  const world = new AdmissionFixture()
  const user = "ada"
  for (const name of ["long 1", "long 2", "long 3"]) world.ask(name, { user })
  const asked = world.ask("short", { user })
  await settled()
  for (let i = 0; i < 5; i++) {
    await world.pass(longQueryMs)
    await world.look()
  }
  assert.ok(world.names.includes("short"))
  await world.finish("short")
  assert.equal(asked.end(), "answer of short")
})

test("too many queries of one user are refused, those of others are not", async () => {
  const world = new AdmissionFixture()
  const asked = Array.from({ length: queriesPerUserMax + 2 }, (_, i) =>
    world.ask(`flood ${i}`, { user: "flood" }),
  )
  const other = world.ask("other")
  await settled()
  const ends = asked.map((one) => one.end())
  assert.deepEqual(ends.slice(-2), ["throttled", "throttled"])
  assert.ok(ends.slice(0, -2).every((end) => end === "open"))
  assert.equal(other.end(), "open")
  assert.deepEqual(world.admission.figures.refused, { user: 2, tenant: 0, server: 0, memory: 0 })
})

test("a full tenant, or server, refuses the last query of the heaviest queue", async () => {
  const f = async (tenants: number, max: number, by: "tenant" | "server") => {
    const world = new AdmissionFixture()
    const users = max / tenants / queriesPerUserMax
    const flood: Asked[] = []
    for (let tenant = 0; tenant < tenants; tenant++) {
      for (let i = 0; i < users * queriesPerUserMax; i++) {
        flood.push(world.ask("evil", { tenant, user: `evil ${i % users}` }))
      }
    }
    const light = world.ask("light", { tenant: by === "tenant" ? 0 : 99 })
    await settled()
    assert.equal(light.end(), "open")
    const ends = flood.map((one) => one.end())
    assert.equal(ends.filter((end) => end === "throttled").length, 1)
    const again = world.ask("again", { tenant: 0, user: "evil 0" })
    await settled()
    assert.equal(again.end(), "throttled" satisfies ErrorCode)
    assert.ok(world.admission.figures.refused[by] > 0)
  }
  await f(1, queriesPerTenantMax, "tenant")
  await f(4, queriesMax, "server")
})

test("while memory is short queries are refused, and those that run are abandoned", async () => {
  const world = new AdmissionFixture()
  const [runs, waits] = [world.ask("runs"), world.ask("waits")]
  await settled()
  world.admission.setMemoryShort(true)
  const refused = world.ask("refused")
  await settled()
  assert.deepEqual([runs.end(), refused.end()], ["overloaded", "overloaded"])
  assert.equal(world.admission.figures.refused.memory, 2)
  await world.look()
  assert.deepEqual(world.names, ["waits"], "its thread saw the flag")
  world.admission.setMemoryShort(false)
  const later = world.ask("later")
  await world.finish("waits")
  await world.finish("later")
  assert.deepEqual([waits.end(), later.end()], ["answer of waits", "answer of later"])
})

test("a refusal says when to try again", async () => {
  const world = new AdmissionFixture()
  const ask = () => world.admission.run({ tenant: 1, user: "a" }, () => new Promise(() => {}))
  for (let i = 0; i < queriesPerUserMax; i++) void ask().catch(() => {})
  await assert.rejects(ask(), (error: ServiceError) => {
    assert.deepEqual([error.code, error.retryAfterSeconds], ["throttled", 1])
    return true
  })
})

test("in any order of events all queries end, and no state remains", async () => {
  const event = fc.oneof(
    fc.record({ kind: fc.constant("ask" as const), user: fc.constantFrom("a", "b", "c") }),
    fc.record({ kind: fc.constant("leave" as const), which: fc.nat(20) }),
    fc.record({ kind: fc.constant("finish" as const), which: fc.nat(5) }),
    fc.record({ kind: fc.constant("pass" as const), ms: fc.nat(2_000) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 60 }), fc.nat(2), async (events, more) => {
      const world = new AdmissionFixture(1 + more)
      const asked: { end: () => string; leave: AbortController }[] = []
      for (const one of events) {
        if (one.kind === "ask") {
          const leave = new AbortController()
          asked.push({
            ...world.ask(`q${asked.length}`, { user: one.user, signal: leave.signal }),
            leave,
          })
        } else if (one.kind === "leave") asked[one.which]?.leave.abort()
        else if (one.kind === "finish") world.running[one.which]?.finish()
        else await world.pass(one.ms)
        await world.look()
        assert.ok(world.running.length <= 2 + more)
      }
      await world.pass(timeoutMs)
      await world.look()
      for (const { end } of asked) assert.notEqual(end(), "open")
      const { waiting, running } = world.admission.figures
      assert.deepEqual([waiting, running, world.running.length], [0, 0, 0])
    }),
    { numRuns: 200 },
  )
})
