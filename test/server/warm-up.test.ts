import assert from "node:assert/strict"
import { test } from "node:test"
import type { QueryTask } from "../../src/worker/query-worker.ts"
import { WarmUp } from "../../src/server/warm-up.ts"

const nothing = (): void => undefined

/** Threads that hold some queries, and pauses that the test ends. */
class Fixture {
  readonly tasks: QueryTask[] = []
  /** For each scan the number of steps before it. */
  readonly stepsBeforeScan: number[] = []
  /** For each thread of closings the number of steps before it was opened. */
  readonly stepsBeforeClosing: number[] = []
  isIngesting = false
  onTask = nothing
  private readonly told: (() => void)[] = []
  private endRest: (() => void) | null = null
  private readonly questions: number

  constructor(questions: number) {
    this.questions = questions
  }

  rehearsing(threads: number): WarmUp {
    return new WarmUp({
      queryPool: {
        run: async (task) => this.answer(task as QueryTask) as never,
        threads,
      },
      scanPool: {
        run: async () => {
          this.stepsBeforeScan.push(this.tasks.length)
          return null as never
        },
        threads: 1,
      },
      closingPool: {
        run: async () => {
          this.stepsBeforeClosing.push(this.tasks.length)
          return null as never
        },
        threads: 2,
      },
      nowMs: () => 77,
      isIngesting: () => this.isIngesting,
      delay: (callback) => {
        this.endRest = callback
        for (const tell of this.told.splice(0)) tell()
        return nothing
      },
    })
  }

  /** Resolves when it rests. */
  resting(): Promise<void> {
    return new Promise((resolve) => this.told.push(resolve))
  }

  wake(): void {
    this.endRest?.()
  }

  get steps(): number[] {
    return this.tasks.map((task) => (task.kind === "warmUp" ? task.step : -1))
  }

  private answer(task: QueryTask): unknown {
    this.tasks.push(task)
    this.onTask()
    const isAsked = task.kind === "warmUp" && task.step < this.questions
    return { ok: true, value: isAsked ? { kind: "statistics" } : null }
  }
}

test("every thread is given every query once, all as of one instant", async () => {
  const fixture = new Fixture(2)
  await fixture.rehearsing(3).start()
  assert.deepEqual(fixture.steps, [0, 0, 0, 1, 1, 1, 2, 2, 2])
  assert.ok(fixture.tasks.every((task) => task.kind === "warmUp" && task.nowMs === 77))
})

test("scan workers scan for each query, when all of them have run", async () => {
  const fixture = new Fixture(2)
  await fixture.rehearsing(1).start()
  assert.deepEqual(fixture.stepsBeforeScan, [3, 3])
})

test("threads of closings open when all steps are done", async () => {
  const fixture = new Fixture(2)
  await fixture.rehearsing(1).start()
  assert.deepEqual(fixture.stepsBeforeClosing, [3, 3])
})

test("it rests between two steps while samples come in", async () => {
  const fixture = new Fixture(1)
  fixture.isIngesting = true
  const resting = fixture.resting()
  const done = fixture.rehearsing(1).start()
  await resting
  assert.deepEqual(fixture.steps, [0])
  fixture.wake()
  await done
  assert.deepEqual(fixture.steps, [0, 1])
})

test("V8's flags may change when it has ended, or as soon as samples come in", async () => {
  const idle = new Fixture(2)
  const warmUp = idle.rehearsing(1)
  let stepsBefore = 0
  void warmUp.loaded.then(() => (stepsBefore = idle.tasks.length))
  await warmUp.start()
  await warmUp.loaded
  assert.equal(stepsBefore, 3)

  const busy = new Fixture(2)
  busy.isIngesting = true
  const resting = busy.resting()
  const disturbed = busy.rehearsing(1)
  const done = disturbed.start()
  await disturbed.loaded
  await resting
  assert.deepEqual(busy.steps, [0])
  busy.isIngesting = false
  busy.wake()
  await done
})

test("the warm-up pauses between two steps while a client's query is answered", async () => {
  const fixture = new Fixture(2)
  const rehearsing = fixture.rehearsing(1)
  let answer: (text: string) => void = nothing
  const asked = rehearsing.yieldTo(() => new Promise<string>((resolve) => (answer = resolve)))
  const resting = fixture.resting()
  const done = rehearsing.start()
  await resting
  answer("text")
  assert.equal(await asked, "text")
  fixture.wake()
  await done
  assert.deepEqual(fixture.steps, [0, 1, 2])
})

test("after a query that failed there is no pause for it", async () => {
  const fixture = new Fixture(1)
  const rehearsing = fixture.rehearsing(1)
  await assert.rejects(
    rehearsing.yieldTo(() => Promise.reject(new Error("no"))),
    /no/,
  )
  await rehearsing.start()
  assert.deepEqual(fixture.steps, [0, 1])
})

test("after a stop no step follows", async () => {
  const fixture = new Fixture(9)
  const rehearsing = fixture.rehearsing(1)
  fixture.onTask = () => {
    if (fixture.tasks.length === 3) rehearsing.stop()
  }
  await rehearsing.start()
  assert.deepEqual(fixture.steps, [0, 1, 2])
  assert.deepEqual(fixture.stepsBeforeClosing, [])
})

test("a thread that fails ends it, and nothing else", async () => {
  const fixture = new Fixture(9)
  fixture.onTask = () => {
    throw new Error("damaged")
  }
  await fixture.rehearsing(1).start()
  assert.deepEqual(fixture.steps, [0])
})
