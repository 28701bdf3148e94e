import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { pathToFileURL } from "node:url"
import { ServiceError } from "../../src/base/errors.ts"
import { unwrapWorkerResult, type WorkerResult } from "../../src/engine/worker-result.ts"
import { createThreadPool } from "../../src/engine/worker-pool.ts"
import { bundleOf } from "../support/project-paths.ts"
import type { PoolTask } from "../support/threads/pool-task.ts"
import { answerOnce } from "../support/time/eventually.ts"

function openPool(t: TestContext, threadsAtStart = 1, threads = 1) {
  const pool = createThreadPool({
    filename: pathToFileURL(bundleOf("test/support/threads/pool-task.ts")).href,
    threads,
    threadsAtStart,
    nurseryMb: 16,
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

test("a pool of one thread runs all tasks on another thread, in order", async (t) => {
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

test("a ServiceError keeps its fields across threads; a bug only rejects its task", async (t) => {
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

test("close() waits for running tasks", async (t) => {
  const { pool, run } = openPool(t)
  const running = run({ kind: "echo", bytes: Uint8Array.of(1) })
  await pool.close()
  assert.deepEqual(await running, Uint8Array.of(1))
})

test("close() waits for a thread that is still loading its module", async (t) => {
  const { pool, run } = openPool(t, 1, 2)
  const running = [run({ kind: "thread" }), run({ kind: "thread" }), run({ kind: "thread" })]
  await running[0]
  await pool.close()
  assert.equal((await Promise.all(running)).length, 3)
})

test("a timer left by a task fires while no task waits", async (t) => {
  const { run } = openPool(t)
  await run({ kind: "setTimer" })
  await answerOnce(
    () => run({ kind: "hasTimerFired" }),
    (hasFired) => hasFired === true,
  )
})

test("a pool may start with its first task, and counts unfinished tasks", async (t) => {
  const { pool, run } = openPool(t, 0)
  assert.equal(pool.taskCount, 0)
  const running = [run({ kind: "thread" }), run({ kind: "thread" })]
  assert.equal(pool.taskCount, 2)
  const [one, other] = await Promise.all(running)
  assert.equal(one, other)
  assert.equal(pool.taskCount, 0)
  await assert.rejects(run({ kind: "bug" }))
  assert.equal(pool.taskCount, 0)
})

test("a lazy pool without tasks closes", async (t) => {
  const { pool } = openPool(t, 0)
  await pool.close()
})

test("transferred buffers are available in the thread and detached in the caller", async (t) => {
  const { pool } = openPool(t)
  const bytes = Uint8Array.of(1, 2)
  const outcome = await pool.run<WorkerResult<unknown>>({ kind: "echo", bytes }, [bytes.buffer])
  assert.deepEqual(unwrapWorkerResult(outcome), Uint8Array.of(1, 2))
  assert.equal(bytes.length, 0)
})
