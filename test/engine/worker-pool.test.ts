import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { ServiceError } from "../../src/base/errors.ts"
import { unwrapWorkerResult, type WorkerResult } from "../../src/engine/worker-result.ts"
import { createThreadPool } from "../../src/engine/worker-pool.ts"
import { bundleOf } from "../support/project-paths.ts"
import type { PoolTask } from "../support/pool-task.ts"

function openPool(t: TestContext, isLazy = false) {
  const pool = createThreadPool({
    filename: pathToFileURL(bundleOf("test/support/pool-task.ts")).href,
    threads: 1,
    isLazy,
    tasksPerThread: 3,
    workerData: { folder: "somewhere", limits: [1, 2] },
    repeat: (callback, everyMs) => {
      const timer = setInterval(callback, everyMs)
      return () => clearInterval(timer)
    },
  })
  t.after(() => pool.close())
  const run = async (task: PoolTask) =>
    unwrapWorkerResult(await pool.run<WorkerResult<unknown>>(task))
  return { pool, run }
}

test("a pool of one thread does all tasks on another thread than ours, in order", async (t) => {
  const { run } = openPool(t)
  assert.deepEqual(await run({ kind: "data" }), { folder: "somewhere", limits: [1, 2] })
  const [one, ...others] = await Promise.all(
    Array.from({ length: 10 }, () => run({ kind: "thread" })),
  )
  assert.ok((one as number) > 0)
  assert.ok(others.every((each) => each === one))
  const ended: number[] = []
  const echo = async (i: number) => {
    const bytes = await run({ kind: "echo", bytes: Uint8Array.of(i) })
    assert.deepEqual(bytes, Uint8Array.of(i))
    ended.push(i)
  }
  await Promise.all([0, 1, 2, 3, 4].map(echo))
  assert.deepEqual(ended, [0, 1, 2, 3, 4])
})

test("a ServiceError crosses threads whole; a bug rejects, and the thread goes on", async (t) => {
  const { run } = openPool(t)
  await assert.rejects(run({ kind: "refuse" }), (error: unknown) => {
    assert.ok(error instanceof ServiceError)
    assert.deepEqual([error.code, error.problems], ["throttled", ["one", "two"]])
    assert.equal(error.retryAfterSeconds, 3)
    return true
  })
  await assert.rejects(run({ kind: "bug" }), /our own bug/)
  assert.equal(typeof (await run({ kind: "thread" })), "number")
})

test("a pool that closes waits for its running tasks", async (t) => {
  const { pool, run } = openPool(t)
  const running = run({ kind: "echo", bytes: Uint8Array.of(1) })
  await pool.close()
  assert.deepEqual(await running, Uint8Array.of(1))
})

test("a timer that a task leaves on its thread calls back though no task waits", async (t) => {
  const { run } = openPool(t)
  await run({ kind: "setTimer" })
  const untilMs = performance.now() + 10_000
  while (!(await run({ kind: "hasTimerFired" })) && performance.now() < untilMs) await wait(50)
  assert.equal(await run({ kind: "hasTimerFired" }), true)
})

test("a lazy pool starts with its first task, and counts tasks that are not done", async (t) => {
  const { pool, run } = openPool(t, true)
  assert.equal(pool.taskCount, 0)
  const running = [run({ kind: "thread" }), run({ kind: "thread" })]
  assert.equal(pool.taskCount, 2)
  const [one, other] = await Promise.all(running)
  assert.equal(one, other)
  assert.equal(pool.taskCount, 0)
  await assert.rejects(run({ kind: "bug" }))
  assert.equal(pool.taskCount, 0)
})

test("a lazy pool that had no task closes", async (t) => {
  const { pool } = openPool(t, true)
  await pool.close()
})

test("what is moved with a task is there, and no longer here", async (t) => {
  const { pool } = openPool(t)
  const bytes = Uint8Array.of(1, 2)
  const outcome = await pool.run<WorkerResult<unknown>>({ kind: "echo", bytes }, [bytes.buffer])
  assert.deepEqual(unwrapWorkerResult(outcome), Uint8Array.of(1, 2))
  assert.equal(bytes.length, 0)
})
