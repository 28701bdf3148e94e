import assert from "node:assert/strict"
import { test } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import { QueryDispatcher } from "../../src/server/query-dispatcher.ts"
import { AnswerMemory, createAnswerMemory } from "../../src/base/answer-memory.ts"
import { ServiceError } from "../../src/base/errors.ts"
import { createStopFlag } from "../../src/base/query-budget.ts"
import { WorkingMemory } from "../../src/query/query.ts"
import type { Admission, QueryPlan, Turn } from "../../src/query/query.ts"
import type { QueryTask } from "../../src/worker/query-worker.ts"
import type { UnflushedSamples } from "../../src/store/append-store.ts"
import type { AnswerParts } from "../../src/wire/json.ts"

const request = { kind: "statistics", tenant: 0, params: {}, body: null, nowMs: 0 } as const
const asker = { tenant: 0, user: "ada@example.org" }
const part = Uint8Array.of(0x31)

/** A pool whose tasks the test completes. */
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
  /** Tasks that each thread has, one after the other. */
  readonly onAll: unknown[] = []
  async runOnAll(task: unknown): Promise<void> {
    this.onAll.push(task)
  }
  async close(): Promise<void> {}

  get kinds(): string[] {
    return this.tasks.map(({ kind }) => kind)
  }
}

interface Say {
  readonly parts?: number
  readonly workers?: number
  readonly helpers?: number | null
  readonly hasUnflushedSeries?: boolean
  readonly isExtra?: boolean
}

function setUp(say: Say = {}) {
  const { parts = 4, workers = 1, helpers = 1, hasUnflushedSeries = false } = say
  const series = Int32Array.of(1, 2)
  const partitions = Array.from({ length: parts }, () => series)
  const plan: QueryPlan = {
    kind: "statistics",
    tenant: 0,
    nowMs: 0,
    series,
    span: { startMs: 0, endMs: 1 },
    partitioning: { partitions, locations: {} as never },
    query: {} as never,
  }
  const memory = new AnswerMemory(createAnswerMemory(1024 ** 2))
  const take = (): AnswerParts => {
    memory.reserve(0, part.byteLength)
    return [part]
  }
  const queryPool = new FakePool(workers)
  queryPool.answer = (task) => ({ ok: true, value: task.kind === "execute" ? { plan } : take() })
  const scanPool = helpers === null ? null : new FakePool(helpers)
  if (scanPool !== null) scanPool.answer = () => ({ ok: true, value: undefined })
  const extraPool = new FakePool(1)
  const closingPool = new FakePool(1)
  closingPool.answer = queryPool.answer
  extraPool.answer = queryPool.answer
  const state = { isIngesting: false, open: null as UnflushedSamples | null }
  const shard = {
    unflushedSampleCount: 1,
    hasUnflushedSeries,
    flushIndex: async () => void queryPool.tasks.push({ kind: "flushIndex" } as never),
    unflushedSamples: async () => (state.open = { series } as UnflushedSamples),
  }
  const isIngesting = () => state.isIngesting
  const pools = { queryPool, extraPool, scanPool, closingPool }
  const turn: Turn = { stop: createStopFlag(), isExtra: say.isExtra ?? false }
  const admission: { run: Admission["run"] } = {
    async run(_, work, before) {
      await before?.()
      return work(turn)
    },
  }
  const asking = new QueryDispatcher({ ...pools, admission, memory, shard, isIngesting })
  return {
    asking,
    admission,
    ...pools,
    memory,
    take,
    shard,
    state,
    turn,
    plan,
  }
}

const scanWorkersOf = ({ tasks }: FakePool): number =>
  tasks.flatMap((task) => (task.kind === "answer" ? [task.queue?.ports.length ?? 0] : []))[0]!

test("a partitioned query runs on its thread and on scan workers, with one request", async () => {
  const { asking, queryPool, scanPool, state, turn, plan } = setUp({ helpers: 2 })
  assert.equal((await asking.dispatch(request, asker)).json(), 1)
  assert.deepEqual(queryPool.kinds, ["execute", "answer"])
  assert.deepEqual(scanPool!.kinds, ["scan", "scan"])
  for (const task of [...scanPool!.tasks, queryPool.tasks[1]!]) {
    assert.ok(task.kind === "scan" || task.kind === "answer")
    assert.deepEqual(task.plan, plan)
    assert.equal(task.open, state.open)
    assert.equal(task.stop, turn.stop)
  }
})

test("the plan names the threads that may share, and without any the planner answers", async () => {
  const f = async (
    say: Say,
    set: { readonly unflushedSampleCount: number; readonly isIngesting: boolean },
    others: { readonly hasUnflushed: boolean; readonly allowsParallel: boolean },
  ) => {
    const { asking, queryPool, shard, state, turn, take } = setUp(say)
    shard.unflushedSampleCount = set.unflushedSampleCount
    state.isIngesting = set.isIngesting
    queryPool.answer = () => ({ ok: true, value: { parts: take() } })
    assert.equal((await asking.dispatch(request, asker)).json(), 1)
    assert.deepEqual(queryPool.tasks, [{ kind: "execute", request, others, stop: turn.stop }])
  }
  await f(
    {},
    { unflushedSampleCount: 0, isIngesting: false },
    { hasUnflushed: false, allowsParallel: true },
  )
  await f(
    {},
    { unflushedSampleCount: 3, isIngesting: true },
    { hasUnflushed: true, allowsParallel: false },
  )
  const alone = { helpers: null }
  await f(
    alone,
    { unflushedSampleCount: 0, isIngesting: false },
    { hasUnflushed: false, allowsParallel: false },
  )
})

test("an index flush precedes the plan of a query whose names readers do not see", async () => {
  const { asking, queryPool } = setUp({ hasUnflushedSeries: true })
  await asking.dispatch(request, asker)
  assert.deepEqual(queryPool.kinds, ["flushIndex", "execute", "answer"])
})

test("at most one thread more than there are scan workers works on queries", async () => {
  const f = async (say: Parameters<typeof setUp>[0], busy: [number, number], want: number) => {
    const { asking, queryPool, scanPool } = setUp(say)
    queryPool.taskCount = busy[0]
    scanPool!.taskCount = busy[1]
    await asking.dispatch(request, asker)
    assert.equal(scanWorkersOf(queryPool), want)
    assert.equal(scanPool!.tasks.length, want)
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
  const f = async (say: Parameters<typeof setUp>[0], isIngesting: boolean) => {
    const { asking, queryPool, state } = setUp(say)
    state.isIngesting = isIngesting
    assert.equal((await asking.dispatch(request, asker)).json(), 1)
    const task = queryPool.tasks[1]!
    assert.ok(task.kind === "answer" && task.queue === null)
    assert.equal(task.plan.partitioning, undefined)
  }
  await f({}, true)
  await f({ helpers: null }, false)
  await f({ parts: 0 }, false)
})

test("what a helper had taken when its thread ended is free again", async () => {
  const { asking, scanPool, queryPool } = setUp()
  let end = (): void => assert.fail("Expected a task")
  scanPool!.answer = (task) => {
    assert.ok(task.kind === "scan")
    Atomics.store(task.side.state, 2, task.side.thread)
    return new Promise((_, reject) => (end = () => reject(new Error("the thread ended"))))
  }
  await asking.dispatch(request, asker)
  const task = queryPool.tasks[1]!
  assert.ok(task.kind === "answer")
  assert.deepEqual([...task.queue!.state], [0, 0, 2, 0])
  end()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([...task.queue!.state], [0, 0, 0, 0])
})

test("a query on the extra thread is dispatched whole, but others may share it", async () => {
  const { asking, queryPool, extraPool, scanPool } = setUp({ isExtra: true })
  assert.equal((await asking.dispatch(request, asker)).json(), 1)
  assert.deepEqual(queryPool.kinds, [])
  assert.deepEqual(extraPool.kinds, ["execute", "answer"])
  assert.deepEqual(scanPool!.kinds, ["scan"])
})

test("while a cycle closes no scan worker takes a partition", async () => {
  const { asking, queryPool, scanPool, closingPool } = setUp()
  closingPool.taskCount = 1
  await asking.dispatch(request, asker)
  assert.deepEqual(queryPool.kinds, ["execute", "answer"])
  assert.deepEqual(scanPool!.kinds, [])
})

test("what the server asks itself goes where cycles close, and nothing ends it", async () => {
  const { asking, queryPool, closingPool, scanPool } = setUp({ hasUnflushedSeries: true })
  assert.equal((await asking.dispatchInternal(request)).json(), 1)
  assert.deepEqual(queryPool.kinds, ["flushIndex"])
  assert.deepEqual(closingPool.kinds, ["execute", "answer"])
  assert.deepEqual(scanPool!.kinds, [])
  for (const task of closingPool.tasks) assert.equal("stop" in task && task.stop, null)
})

test("while answers fill their memory, garbage of query threads is collected", async () => {
  const { asking, memory, queryPool, extraPool, scanPool, closingPool } = setUp()
  const collections = () => queryPool.onAll.length
  await asking.dispatch(request, asker)
  memory.reserve(1, 200 * 1024)
  await Promise.all([asking.dispatch(request, asker), asking.dispatch(request, asker)])
  await turn()
  assert.equal(collections(), 1, "one collection at a time")
  queryPool.answer = () => ({ ok: false, code: "overloaded", problems: ["no room"] })
  await assert.rejects(asking.dispatch(request, asker), { code: "overloaded" })
  await turn()
  assert.equal(collections(), 2, "after a refusal too")
  memory.release(1, 200 * 1024)
  await assert.rejects(asking.dispatch(request, asker), { code: "overloaded" })
  assert.deepEqual(queryPool.onAll, Array(2).fill({ kind: "collectGarbage" }))
  assert.deepEqual(extraPool.onAll, queryPool.onAll)
  assert.deepEqual([scanPool!.onAll, closingPool.onAll], [[], []])
})

test("working memory of a query is released when the last of its threads has ended", async () => {
  const { asking, memory, scanPool, queryPool, take } = setUp({ helpers: 2 })
  const works = ({ workingUnits }: { readonly workingUnits: Int32Array }) =>
    new WorkingMemory(memory, 0, workingUnits).take(64 * 1024)
  const ends: (() => void)[] = []
  scanPool!.answer = (task) => {
    assert.ok(task.kind === "scan")
    works(task.side)
    return new Promise((resolve, reject) => {
      const isFirst = ends.length === 0
      ends.push(isFirst ? () => resolve({ ok: true }) : () => reject(new Error("ended")))
    })
  }
  const { answer: planned } = queryPool
  queryPool.answer = (task) => {
    if (task.kind === "execute") return planned(task)
    assert.ok(task.kind === "answer" && task.queue !== null)
    works(task.queue)
    return { ok: true, value: take() }
  }
  const answer = await asking.dispatch(request, asker)
  answer.release()
  for (const end of ends) {
    assert.ok(memory.usedBytes >= 3 * 64 * 1024)
    end()
    await turn()
  }
  assert.equal(memory.usedBytes, 0)
})

test("an answer is held until it is released, also if its client left before", async () => {
  const { asking, memory } = setUp({ helpers: null })
  const answer = await asking.dispatch(request, asker)
  assert.equal(memory.usedBytes, 1024)
  answer.release()
  answer.release()
  assert.equal(memory.usedBytes, 0)

  const late = setUp({ helpers: null })
  const left = new ServiceError("cancelled", "The client left")
  let working: Promise<unknown> = Promise.resolve()
  late.admission.run = async (_, work) => {
    working = work(late.turn)
    throw left
  }
  await assert.rejects(late.asking.dispatch(request, asker), left)
  await working
  assert.equal(late.memory.usedBytes, 0)

  const early = setUp({ helpers: null })
  early.admission.run = async (_, work) => {
    await work(early.turn)
    throw left
  }
  await assert.rejects(early.asking.dispatch(request, asker), left)
  assert.equal(early.memory.usedBytes, 0)
})
