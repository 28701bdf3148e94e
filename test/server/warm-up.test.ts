import assert from "node:assert/strict"
import { test } from "node:test"
import type { QueryTask } from "../../src/worker/query-worker.ts"
import { WarmUp } from "../../src/server/warm-up.ts"

const nothing = (): void => undefined

/** Threads that hold some queries, and pauses that the test ends. */
class Rig {
  readonly tasks: QueryTask[] = []
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
      helperPool: null,
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
    return { ok: true, value: isAsked ? { question: {} } : null }
  }
}

test("every thread is given every query once, all as of one instant", async () => {
  const rig = new Rig(2)
  await rig.rehearsing(3).start()
  assert.deepEqual(rig.steps, [0, 0, 0, 1, 1, 1, 2, 2, 2])
  assert.ok(rig.tasks.every((task) => task.kind === "warmUp" && task.nowMs === 77))
})

test("it rests between two steps while samples come in", async () => {
  const rig = new Rig(1)
  rig.isIngesting = true
  const resting = rig.resting()
  const done = rig.rehearsing(1).start()
  await resting
  assert.deepEqual(rig.steps, [0])
  rig.wake()
  await done
  assert.deepEqual(rig.steps, [0, 1])
})

test("the warm-up pauses between two steps while a client's query is answered", async () => {
  const rig = new Rig(2)
  const rehearsing = rig.rehearsing(1)
  let answer: (text: string) => void = nothing
  const asked = rehearsing.yieldTo(() => new Promise<string>((resolve) => (answer = resolve)))
  const resting = rig.resting()
  const done = rehearsing.start()
  await resting
  answer("text")
  assert.equal(await asked, "text")
  rig.wake()
  await done
  assert.deepEqual(rig.steps, [0, 1, 2])
})

test("after a query that failed there is no pause for it", async () => {
  const rig = new Rig(1)
  const rehearsing = rig.rehearsing(1)
  await assert.rejects(
    rehearsing.yieldTo(() => Promise.reject(new Error("no"))),
    /no/,
  )
  await rehearsing.start()
  assert.deepEqual(rig.steps, [0, 1])
})

test("after a stop no step follows", async () => {
  const rig = new Rig(9)
  const rehearsing = rig.rehearsing(1)
  rig.onTask = () => {
    if (rig.tasks.length === 3) rehearsing.stop()
  }
  await rehearsing.start()
  assert.deepEqual(rig.steps, [0, 1, 2])
})

test("a thread that fails ends it, and nothing else", async () => {
  const rig = new Rig(9)
  rig.onTask = () => {
    throw new Error("damaged")
  }
  await rig.rehearsing(1).start()
  assert.deepEqual(rig.steps, [0])
})
