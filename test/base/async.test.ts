import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { KeyedMutex, PeriodicTask, Semaphore } from "../../src/base/async.ts"

/** Runs everything that waits neither for a timer nor for a socket. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test("a semaphore runs at most its permits, first come, first served", async () => {
  const calls = fc.array(fc.boolean(), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 4 }),
      calls,
      async (s, permits, fails) => {
        const semaphore = new Semaphore(permits)
        let running = 0
        const started: number[] = []
        const results = fails.map((isFailing, i) =>
          semaphore.run(async () => {
            started.push(i)
            assert.ok(++running <= permits)
            await s.schedule(Promise.resolve())
            running--
            if (isFailing) throw new Error(String(i))
            return i
          }),
        )
        const settled = Promise.allSettled(results)
        await s.waitFor(settled)
        assert.deepEqual(
          started,
          fails.map((_, i) => i),
        )
        for (const [i, one] of (await settled).entries()) {
          assert.equal(one.status === "rejected", fails[i])
        }
        assert.equal(await semaphore.run(async () => "free"), "free")
      },
    ),
    { numRuns: 50 },
  )
})

test("a semaphore with a limit refuses the call for which no waiter's place is left", async () => {
  const refusal = () => new RangeError("full")
  const semaphore = new Semaphore(1, { waitersMax: 1, refusal })
  let finish = (): void => {}
  const first = semaphore.run(() => new Promise<void>((resolve) => (finish = resolve)))
  const second = semaphore.run(async () => 2)
  await assert.rejects(
    semaphore.run(async () => 3),
    RangeError,
  )
  finish()
  await first
  assert.equal(await second, 2)
})

test("a keyed mutex runs one call of a key at a time, whatever fails", async () => {
  const call = fc.record({
    keys: fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1 }),
    isFailing: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(call, { maxLength: 12 }), async (s, calls) => {
      const mutex = new KeyedMutex()
      const held = new Set<string>()
      const results = calls.map(({ keys, isFailing }) =>
        mutex.runAll(keys, async () => {
          for (const key of keys) {
            assert.ok(!held.has(key))
            held.add(key)
          }
          await s.schedule(Promise.resolve())
          for (const key of keys) held.delete(key)
          if (isFailing) throw new Error("failed")
        }),
      )
      const settled = Promise.allSettled(results)
      await s.waitFor(settled)
      const rejected = (await settled).map(({ status }) => status === "rejected")
      assert.deepEqual(
        rejected,
        calls.map(({ isFailing }) => isFailing),
      )
    }),
    { numRuns: 50 },
  )
})

test("a keyed mutex keeps the order of calls of a key, and another key does not wait", async () => {
  const mutex = new KeyedMutex<number>({ waitersMax: 1, refusal: () => new RangeError("full") })
  const order: string[] = []
  let finish = (): void => {}
  const first = mutex.run(1, () => new Promise<void>((resolve) => (finish = resolve)))
  const second = mutex.run(1, async () => void order.push("second"))
  await assert.rejects(
    mutex.run(1, async () => {}),
    RangeError,
  )
  await mutex.run(2, async () => void order.push("other key"))
  finish()
  await Promise.all([first, second])
  assert.deepEqual(order, ["other key", "second"])
})

/** Pauses end when a test ends them. */
class ManualDelay {
  readonly pauses: { ms: number; end: () => void }[] = []

  readonly delay = (callback: () => void, ms: number): (() => void) => {
    const pause = { ms, end: callback }
    this.pauses.push(pause)
    return () => void this.pauses.splice(this.pauses.indexOf(pause), 1)
  }

  end(): void {
    this.pauses.shift()!.end()
  }
}

test("a periodic task pauses as its steps say, and runs one step at a time", async () => {
  const actions = fc.array(fc.constantFrom("wake", "finish", "endPause"), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(actions, async (list) => {
      const manual = new ManualDelay()
      const unfinished: (() => void)[] = []
      let running = 0
      let steps = 0
      const run = async (): Promise<number> => {
        assert.equal(++running, 1)
        steps++
        await new Promise<void>((resolve) => unfinished.push(resolve))
        running--
        return 5
      }
      const task = new PeriodicTask({ delay: manual.delay, run, onError: () => 7 })
      task.start(3)
      for (const action of list) {
        if (action === "wake") task.wake()
        else if (action === "finish") unfinished.shift()?.()
        else if (manual.pauses.length > 0) manual.end()
        await settle()
        assert.equal(running + manual.pauses.length, 1, "Expected either a step or a pause")
        assert.ok(manual.pauses.every(({ ms }) => ms === (steps === 0 ? 3 : 5)))
      }
      let hasStopped = false
      const stopped = task.stop().then(() => (hasStopped = true))
      await settle()
      assert.equal(hasStopped, running === 0)
      unfinished.shift()?.()
      const before = steps
      await stopped
      task.wake()
      await settle()
      assert.deepEqual([running, steps, manual.pauses.length], [0, before, 0])
    }),
    { numRuns: 50 },
  )
})

test("the next step follows directly after a pause of 0 or a wake-up", async () => {
  const manual = new ManualDelay()
  let steps = 0
  const task = new PeriodicTask({
    delay: manual.delay,
    run: async () => {
      if (++steps === 2) task.wake()
      return steps === 1 ? 0 : 9
    },
    onError: () => 1,
  })
  task.start()
  await settle()
  assert.equal(steps, 3)
  await task.stop()
})

test("a periodic task reports a failed step and goes on", async () => {
  const manual = new ManualDelay()
  const errors: unknown[] = []
  let steps = 0
  const run = async (): Promise<number> => {
    if (++steps === 1) throw new Error("first")
    return 5
  }
  const onError = (error: unknown): number => errors.push(error) && 7
  const task = new PeriodicTask({ delay: manual.delay, run, onError })
  task.start()
  await settle()
  assert.deepEqual([errors.length, manual.pauses.at(0)?.ms], [1, 7])
  manual.end()
  await settle()
  assert.deepEqual([steps, manual.pauses.at(0)?.ms], [2, 5])
  await task.stop()
})
