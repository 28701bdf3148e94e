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
  const fixture = new AdmissionFixture()
  const asked = fixture.ask("a")
  await settled()
  assert.deepEqual(fixture.names, ["a"])
  assert.equal(fixture.running[0]!.turn.isExtra, false)
  await fixture.pass(25)
  await fixture.finish("a")
  assert.equal(asked.end(), "answer of a")
  assert.deepEqual(fixture.durations, [25])
})

test("the work before a query takes no thread, and its failure fails the query", async () => {
  const fixture = new AdmissionFixture()
  let go = (): void => {}
  const slow = fixture.ask("slow", {}, () => new Promise((resolve) => (go = resolve)))
  const quick = fixture.ask("quick")
  const failing = fixture.ask("failing", {}, async () => {
    throw new ServiceError("readOnly", "full")
  })
  await settled()
  assert.deepEqual(fixture.names, ["quick"])
  await fixture.finish("quick")
  go()
  await settled()
  await fixture.finish("slow")
  assert.deepEqual(
    [slow.end(), quick.end(), failing.end()],
    ["answer of slow", "answer of quick", "readOnly"],
  )
})

test("a query times out while it waits and while it runs, and its thread is stopped", async () => {
  const fixture = new AdmissionFixture()
  const running = fixture.ask("running")
  await settled()
  await fixture.pass(1)
  const short = fixture.ask("short")
  await settled()
  await fixture.pass(longQueryMs)
  assert.deepEqual(fixture.names, ["running", "short"], "a second thread serves beside a long one")
  const waiting = fixture.ask("waiting", { user: "running" })
  await settled()
  await fixture.pass(timeoutMs)
  assert.deepEqual([running.end(), short.end()], ["timedOut", "timedOut"])
  assert.equal(waiting.end(), "timedOut")
  assert.equal(fixture.admission.figures.timedOut, 3)
  assert.ok(fixture.admission.overdueMs() > 0, "threads still work on them")
  await fixture.look()
  assert.deepEqual(fixture.names, [])
  assert.equal(fixture.admission.overdueMs(), 0)
  assert.equal(fixture.admission.figures.running, 0)
})

test("a client that leaves frees its thread, or its queue position", async () => {
  const fixture = new AdmissionFixture()
  const [first, second, third] = [0, 1, 2].map(() => new AbortController())
  const running = fixture.ask("running", { signal: first!.signal })
  const waiting = fixture.ask("waiting", { signal: second!.signal })
  third!.abort()
  const gone = fixture.ask("gone", { signal: third!.signal })
  await settled()
  second!.abort()
  await settled()
  assert.deepEqual([waiting.end(), gone.end()], ["cancelled", "cancelled"])
  first!.abort()
  await settled()
  assert.equal(running.end(), "cancelled")
  assert.deepEqual(fixture.names, ["running"])
  await fixture.look()
  assert.deepEqual(fixture.names, [])
  const { cancelled, waiting: left, running: still } = fixture.admission.figures
  assert.deepEqual([cancelled, left, still], [3, 0, 0])
  const next = fixture.ask("next")
  await settled()
  await fixture.finish("next")
  assert.equal(next.end(), "answer of next")
  assert.deepEqual(fixture.began, ["running", "next"])
})

test("a light user is served next to heavy users", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 4, max: 12 }),
      fc.boolean(),
      async (threads, attackers, isOneTenant) => {
        const fixture = new AdmissionFixture(threads)
        for (let i = 0; i < attackers; i++) {
          for (let n = 0; n < 4; n++) fixture.ask(`evil ${i} ${n}`, { user: `evil ${i}` })
        }
        await settled()
        // Threads check their flags often.
        const passUntil = async (isReached: () => boolean, maxMs: number) => {
          for (let at = 0; at < maxMs && !isReached(); at += 10) {
            await fixture.pass(10)
            await fixture.look()
          }
        }
        // Until each has some use: among users without use the first one goes first.
        await passUntil(() => false, (attackers + 2) * longQueryMs)
        for (let n = 0; n < 3; n++) {
          const asked = fixture.ask("light", { tenant: isOneTenant ? 1 : 2 })
          await settled()
          await passUntil(() => fixture.names.includes("light"), longQueryMs + 30)
          assert.ok(fixture.names.includes("light"), `not begun beside ${fixture.names.join()}`)
          await fixture.pass(20)
          await fixture.finish("light")
          assert.equal(asked.end(), "answer of light")
        }
        assert.ok(fixture.running.length <= threads + 1)
      },
    ),
    { numRuns: 20 },
  )
})

test("a preempted long query restarts on a thread for long ones", async () => {
  const fixture = new AdmissionFixture()
  const first = fixture.ask("first")
  await settled()
  await fixture.pass(longQueryMs)
  const second = fixture.ask("second")
  await settled()
  await fixture.pass(longQueryMs)
  assert.deepEqual(fixture.names, ["first", "second"])
  fixture.ask("light")
  await settled()
  // The first has run for longer: it gives way.
  await fixture.look()
  assert.deepEqual(fixture.names, ["second", "light"])
  await fixture.finish("light")
  assert.deepEqual(fixture.names, ["second"], "one thread is kept for others")
  await fixture.finish("second")
  assert.deepEqual(fixture.names, ["first"])
  await fixture.finish("first")
  assert.deepEqual([first.end(), second.end()], ["answer of first", "answer of second"])
  assert.equal(fixture.admission.figures.preempted, 1)
  assert.deepEqual(fixture.began, ["first", "second", "light", "first"])
})

test("a heavy user is preempted sooner", async () => {
  const fixture = new AdmissionFixture()
  fixture.ask("much", { user: "heavy" })
  await settled()
  await fixture.pass(heavyUsageMs + 1_000)
  fixture.ask("more", { user: "heavy" })
  await settled()
  assert.deepEqual(fixture.names, ["much", "more"])
  fixture.ask("light")
  await settled()
  await fixture.pass(longQueryOfHeavyUserMs - 1)
  await fixture.look()
  assert.deepEqual(fixture.names, ["much", "more"])
  await fixture.pass(1)
  await fixture.look()
  assert.deepEqual(fixture.names, ["much", "light"])
})

test("the extra thread is started before it gets a query", async () => {
  let ready = (): void => assert.fail("Expected it to be asked for")
  const fixture = new AdmissionFixture(1, () => new Promise((resolve) => (ready = resolve)))
  fixture.ask("long")
  fixture.ask("other")
  await settled()
  await fixture.pass(3 * longQueryMs)
  assert.deepEqual(fixture.names, ["long"])
  ready()
  await settled()
  assert.deepEqual(fixture.names, ["long", "other"])
})

test("the extra thread is not started for queries that wait for no long one", async () => {
  const fixture = new AdmissionFixture(1, () => assert.fail("Expected no extra thread"))
  fixture.ask("long")
  await settled()
  await fixture.pass(3 * longQueryMs)
  await fixture.finish("long")
  for (const name of ["short 1", "short 2", "short 3"]) fixture.ask(name)
  await settled()
  for (const name of ["short 1", "short 2", "short 3"]) {
    await fixture.pass(longQueryMs / 2)
    await fixture.finish(name)
  }
  assert.deepEqual(fixture.began, ["long", "short 1", "short 2", "short 3"])
})

test("of one user a short query does not wait for all long ones", async () => {
  const fixture = new AdmissionFixture()
  const user = "ada"
  for (const name of ["long 1", "long 2", "long 3"]) fixture.ask(name, { user })
  const asked = fixture.ask("short", { user })
  await settled()
  for (let i = 0; i < 5; i++) {
    await fixture.pass(longQueryMs)
    await fixture.look()
  }
  assert.ok(fixture.names.includes("short"))
  await fixture.finish("short")
  assert.equal(asked.end(), "answer of short")
})

test("too many queries of one user are refused, those of others are not", async () => {
  const fixture = new AdmissionFixture()
  const asked = Array.from({ length: queriesPerUserMax + 2 }, (_, i) =>
    fixture.ask(`flood ${i}`, { user: "flood" }),
  )
  const other = fixture.ask("other")
  await settled()
  const ends = asked.map((one) => one.end())
  assert.deepEqual(ends.slice(-2), ["throttled", "throttled"])
  assert.ok(ends.slice(0, -2).every((end) => end === "open"))
  assert.equal(other.end(), "open")
  assert.deepEqual(fixture.admission.figures.refused, { user: 2, tenant: 0, server: 0, memory: 0 })
})

test("a full tenant, or server, refuses the last query of the heaviest queue", async () => {
  const f = async (tenants: number, max: number, by: "tenant" | "server") => {
    const fixture = new AdmissionFixture()
    const users = max / tenants / queriesPerUserMax
    const flood: Asked[] = []
    for (let tenant = 0; tenant < tenants; tenant++) {
      for (let i = 0; i < users * queriesPerUserMax; i++) {
        flood.push(fixture.ask("evil", { tenant, user: `evil ${i % users}` }))
      }
    }
    const light = fixture.ask("light", { tenant: by === "tenant" ? 0 : 99 })
    await settled()
    assert.equal(light.end(), "open")
    const ends = flood.map((one) => one.end())
    assert.equal(ends.filter((end) => end === "throttled").length, 1)
    const again = fixture.ask("again", { tenant: 0, user: "evil 0" })
    await settled()
    assert.equal(again.end(), "throttled" satisfies ErrorCode)
    assert.ok(fixture.admission.figures.refused[by] > 0)
  }
  await f(1, queriesPerTenantMax, "tenant")
  await f(4, queriesMax, "server")
})

test("while memory is short queries are refused, and those that run are abandoned", async () => {
  const fixture = new AdmissionFixture()
  const [runs, waits] = [fixture.ask("runs"), fixture.ask("waits")]
  await settled()
  fixture.admission.setMemoryShort(true)
  const refused = fixture.ask("refused")
  await settled()
  assert.deepEqual([runs.end(), refused.end()], ["overloaded", "overloaded"])
  assert.equal(fixture.admission.figures.refused.memory, 2)
  await fixture.look()
  assert.deepEqual(fixture.names, ["waits"], "its thread saw the flag")
  fixture.admission.setMemoryShort(false)
  const later = fixture.ask("later")
  await fixture.finish("waits")
  await fixture.finish("later")
  assert.deepEqual([waits.end(), later.end()], ["answer of waits", "answer of later"])
})

test("a refusal says when to try again", async () => {
  const fixture = new AdmissionFixture()
  const ask = () => fixture.admission.run({ tenant: 1, user: "a" }, () => new Promise(() => {}))
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
      const fixture = new AdmissionFixture(1 + more)
      const asked: { end: () => string; leave: AbortController }[] = []
      for (const one of events) {
        if (one.kind === "ask") {
          const leave = new AbortController()
          asked.push({
            ...fixture.ask(`q${asked.length}`, { user: one.user, signal: leave.signal }),
            leave,
          })
        } else if (one.kind === "leave") asked[one.which]?.leave.abort()
        else if (one.kind === "finish") fixture.running[one.which]?.finish()
        else await fixture.pass(one.ms)
        await fixture.look()
        assert.ok(fixture.running.length <= 2 + more)
      }
      await fixture.pass(timeoutMs)
      await fixture.look()
      for (const { end } of asked) assert.notEqual(end(), "open")
      const { waiting, running } = fixture.admission.figures
      assert.deepEqual([waiting, running, fixture.running.length], [0, 0, 0])
    }),
    { numRuns: 200 },
  )
})
