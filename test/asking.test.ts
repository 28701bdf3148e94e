import assert from "node:assert/strict"
import { test } from "node:test"
import { Asking } from "../src/asking.ts"
import { newStopFlag } from "../src/base/budget.ts"
import type { Admission, QueryPlan, Turn } from "../src/query/query.ts"
import type { QueryTask } from "../src/query-worker.ts"
import type { OpenSamples } from "../src/store/store.ts"

const request = { kind: "statistics", tenant: 0, params: {}, body: null, nowMs: 0 } as const
const asker = { tenant: 0, user: "ada@example.org" }
const bytes = Uint8Array.of(1)

/** A pool that answers when it is told to. */
class FakePool {
  taskCount = 0
  readonly tasks: QueryTask[] = []
  readonly threads: number
  answer: (task: QueryTask) => unknown = () => assert.fail("Expected no task")

  constructor(threads: number) {
    this.threads = threads
  }

  async run(task: unknown): Promise<never> {
    this.tasks.push(task as QueryTask)
    return this.answer(task as QueryTask) as never
  }
  async runOnAll(): Promise<void> {}
  async close(): Promise<void> {}

  get kinds(): string[] {
    return this.tasks.map(({ kind }) => kind)
  }
}

interface Say {
  readonly parts?: number
  readonly workers?: number
  readonly helpers?: number | null
  readonly isUnpublished?: boolean
  readonly isExtra?: boolean
}

function world(say: Say = {}) {
  const { parts = 4, workers = 1, helpers = 1, isUnpublished = false } = say
  const series = Int32Array.of(1, 2)
  const spread = { parts: Array.from({ length: parts }, () => series), places: {} as never }
  const plan = { series, span: { startMs: 0, endMs: 1 }, spread, question: {}, request }
  const queryPool = new FakePool(workers)
  queryPool.answer = (task) => ({ ok: true, value: task.kind === "ask" ? { plan } : bytes })
  const helperPool = helpers === null ? null : new FakePool(helpers)
  if (helperPool !== null) helperPool.answer = () => ({ ok: true, value: undefined })
  const extraPool = new FakePool(1)
  const closingPool = new FakePool(1)
  closingPool.answer = queryPool.answer
  extraPool.answer = queryPool.answer
  const state = { isIngesting: false, open: null as OpenSamples | null }
  const shard = {
    openSampleCount: 1,
    isUnpublished,
    publish: async () => void queryPool.tasks.push({ kind: "publish" } as never),
    openSamples: async () => (state.open = { series } as OpenSamples),
  }
  const isIngesting = () => state.isIngesting
  const pools = { queryPool, extraPool, helperPool, closingPool }
  const turn: Turn = { stop: newStopFlag(), isExtra: say.isExtra ?? false }
  const admission: Pick<Admission, "run"> = {
    async run(_, work, before) {
      await before?.()
      return work(turn)
    },
  }
  const asking = new Asking({ ...pools, admission, shard, isIngesting })
  return { asking, ...pools, shard, state, turn, plan: plan as unknown as QueryPlan }
}

const helpersOf = ({ tasks }: FakePool): number =>
  tasks.flatMap((task) => (task.kind === "answer" ? [task.sharing?.ports.length ?? 0] : []))[0]!

test("a question in parts goes to the asker and to helpers, who are told the same", async () => {
  const { asking, queryPool, helperPool, state, turn, plan } = world({ helpers: 2 })
  assert.equal(await asking.ask(request, asker), bytes)
  assert.deepEqual(queryPool.kinds, ["ask", "answer"])
  assert.deepEqual(helperPool!.kinds, ["help", "help"])
  for (const task of [...helperPool!.tasks, queryPool.tasks[1]!]) {
    assert.ok(task.kind === "help" || task.kind === "answer")
    assert.deepEqual(task.plan, plan)
    assert.equal(task.open, state.open)
    assert.equal(task.stop, turn.stop)
  }
})

test("the planner is told who may have a part, and answers itself where none has", async () => {
  const f = async (
    say: Say,
    set: { readonly openSampleCount: number; readonly isIngesting: boolean },
    others: { readonly areOpen: boolean; readonly mayShare: boolean },
  ) => {
    const { asking, queryPool, shard, state, turn } = world(say)
    shard.openSampleCount = set.openSampleCount
    state.isIngesting = set.isIngesting
    queryPool.answer = () => ({ ok: true, value: { bytes } })
    assert.equal(await asking.ask(request, asker), bytes)
    assert.deepEqual(queryPool.tasks, [{ kind: "ask", request, others, stop: turn.stop }])
  }
  await f({}, { openSampleCount: 0, isIngesting: false }, { areOpen: false, mayShare: true })
  await f({}, { openSampleCount: 3, isIngesting: true }, { areOpen: true, mayShare: false })
  const alone = { helpers: null }
  await f(alone, { openSampleCount: 0, isIngesting: false }, { areOpen: false, mayShare: false })
})

test("names that readers do not see are published before a question is planned", async () => {
  const { asking, queryPool } = world({ isUnpublished: true })
  await asking.ask(request, asker)
  assert.deepEqual(queryPool.kinds, ["publish", "ask", "answer"])
})

test("no more threads work on questions than there are helpers and one", async () => {
  const f = async (say: Parameters<typeof world>[0], busy: [number, number], want: number) => {
    const { asking, queryPool, helperPool } = world(say)
    queryPool.taskCount = busy[0]
    helperPool!.taskCount = busy[1]
    await asking.ask(request, asker)
    assert.equal(helpersOf(queryPool), want)
    assert.equal(helperPool!.tasks.length, want)
  }
  await f({ helpers: 1 }, [0, 0], 1)
  await f({ helpers: 1 }, [0, 1], 0)
  await f({ helpers: 1 }, [1, 0], 0)
  await f({ helpers: 3, workers: 3 }, [0, 0], 3)
  await f({ helpers: 3, workers: 3 }, [1, 1], 1)
  await f({ helpers: 3, workers: 3 }, [3, 2], 0)
  await f({ helpers: 7, workers: 7, parts: 3 }, [0, 0], 2)
})

test("while samples wait, without helpers and without parts one thread answers alone", async () => {
  const f = async (say: Parameters<typeof world>[0], isIngesting: boolean) => {
    const { asking, queryPool, state } = world(say)
    state.isIngesting = isIngesting
    assert.equal(await asking.ask(request, asker), bytes)
    const task = queryPool.tasks[1]!
    assert.ok(task.kind === "answer" && task.sharing === null)
    assert.equal(task.plan.spread, undefined)
  }
  await f({}, true)
  await f({ helpers: null }, false)
  await f({ parts: 0 }, false)
})

test("what a helper had taken when its thread ended is free again", async () => {
  const { asking, helperPool, queryPool } = world()
  let end = (): void => assert.fail("Expected a task")
  helperPool!.answer = (task) => {
    assert.ok(task.kind === "help")
    Atomics.store(task.side.state, 2, task.side.thread)
    return new Promise((_, reject) => (end = () => reject(new Error("the thread ended"))))
  }
  await asking.ask(request, asker)
  const task = queryPool.tasks[1]!
  assert.ok(task.kind === "answer")
  assert.deepEqual([...task.sharing!.state], [0, 0, 2, 0])
  end()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([...task.sharing!.state], [0, 0, 0, 0])
})

test("a question on the extra thread goes there whole, and others may help with it", async () => {
  const { asking, queryPool, extraPool, helperPool } = world({ isExtra: true })
  assert.equal(await asking.ask(request, asker), bytes)
  assert.deepEqual(queryPool.kinds, [])
  assert.deepEqual(extraPool.kinds, ["ask", "answer"])
  assert.deepEqual(helperPool!.kinds, ["help"])
})

test("while a cycle closes nobody helps", async () => {
  const { asking, queryPool, helperPool, closingPool } = world()
  closingPool.taskCount = 1
  await asking.ask(request, asker)
  assert.deepEqual(queryPool.kinds, ["ask", "answer"])
  assert.deepEqual(helperPool!.kinds, [])
})

test("what the server asks itself goes where cycles close, and nothing ends it", async () => {
  const { asking, queryPool, closingPool, helperPool } = world({ isUnpublished: true })
  assert.equal(await asking.askForServer(request), bytes)
  assert.deepEqual(queryPool.kinds, ["publish"])
  assert.deepEqual(closingPool.kinds, ["ask", "answer"])
  assert.deepEqual(helperPool!.kinds, [])
  for (const task of closingPool.tasks) assert.equal("stop" in task && task.stop, null)
})
