/**
 * Pool: threads that do tasks. The only file that knows Piscina.
 *
 * Measured (Node 20.20, 2 cores): a task costs 46 µs with Piscina's defaults, 11 to 15 µs with
 * several tasks a worker. So nothing here is called once a request; see intake.ts.
 */

import type { Transferable } from "node:worker_threads"
import { Piscina, workerData } from "piscina"

export interface WorkerPool {
  /** Does one task on one thread, which owns `moved` then. Rejects with what the task threw. */
  run<Answer>(task: unknown, moved?: readonly Transferable[]): Promise<Answer>
  /** Waits for running tasks, then ends the threads. */
  close(): Promise<void>
}

export interface ThreadPool extends WorkerPool {
  readonly threads: number
  /** Tasks that run or wait. */
  readonly taskCount: number
  /** Does a task on each thread that has started. */
  runOnAll(task: unknown): Promise<unknown>
}

export interface ThreadPoolOptions {
  /**
   * URL of the worker's module; its default export is called with each task, and with null, which
   * it answers with `eventLoopTurn`.
   */
  readonly filename: string
  readonly threads: number
  /** Whether the threads start with the first task, and not at once. */
  readonly isLazy?: boolean
  /** Where a thread makes objects; two halves and as much again for large ones. */
  readonly nurseryMb?: number
  /** Tasks that may wait at one thread, so that it never idles between two. */
  readonly tasksPerThread: number
  /** Handed to the worker's module; structured-clonable. */
  readonly workerData: unknown
  /** Calls back again and again, and keeps no process alive for that; returns a way to end it. */
  readonly repeat: (callback: () => void, everyMs: number) => () => void
}

/**
 * How often a thread lets its event loop turn. Between tasks Piscina waits in `Atomics.wait`, where
 * no timer fires and V8 does none of its own work: each snapshot that lmdb opens leaves a timer of
 * 200 bytes, which lived as long as the thread, and V8 gave back little of what was free. Timers of
 * a second, some thousands, fire in a few milliseconds.
 */
const turnEveryMs = 1000

/** Columns and buffers die young: with V8's halves of 16 MiB p99 of ingest is 10.5 ms, not 8. */
const nurseryMbDefault = 64

/** Starts the threads; they live until `close`. */
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const piscina = new Piscina({
    filename: options.filename,
    minThreads: options.isLazy === true ? 0 : options.threads,
    maxThreads: options.threads,
    concurrentTasksPerWorker: options.tasksPerThread,
    workerData: options.workerData,
    // Queues are bounded where requests come in (intake, HTTP); a bound here would only lose tasks.
    maxQueue: Infinity,
    idleTimeout: Infinity,
    recordTiming: false,
    resourceLimits: { maxYoungGenerationSizeMb: options.nurseryMb ?? nurseryMbDefault },
  })
  // Each idle thread takes one.
  const runOnAll = (task: unknown) => Promise.all(piscina.threads.map(() => piscina.run(task)))
  const turnAll = () => runOnAll(null)
  const stopTurning = options.repeat(oneAtATime(turnAll), turnEveryMs)
  let taskCount = 0
  return {
    threads: options.threads,
    get taskCount() {
      return taskCount
    },
    runOnAll,
    run: (task, moved = []) => {
      taskCount++
      const done = piscina.run(task, { transferList: moved as Transferable[] })
      return done.finally(() => taskCount--) as Promise<never>
    },
    close: async () => {
      stopTurning()
      // A thread that is ended while it still loads its module aborts the process (Node 20:
      // "IsGraphAsync must be used on an instantiated module").
      await turnAll()
      await piscina.close()
    },
  }
}

/** Begins nothing while it still does what it began before. */
function oneAtATime(work: () => Promise<unknown>): () => void {
  let isRunning = false
  return () => {
    if (isRunning) return
    isRunning = true
    const done = () => (isRunning = false)
    // A thread that ended is told of to whoever waits for its tasks.
    work().then(done, done)
  }
}

/** Resolves when timers that are due and V8's own tasks of this thread have had their turn. */
export function eventLoopTurn(): Promise<null> {
  // The first is called at the end of this turn of the loop, the second at the end of the next.
  return new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(null))))
}

/** A task's answer of which some buffers are handed to the asker instead of being copied. */
export function withTransfer(answer: unknown, buffers: readonly ArrayBuffer[]): unknown {
  if (buffers.length === 0) return answer
  const movable = { [Piscina.transferableSymbol]: buffers, [Piscina.valueSymbol]: answer }
  return Piscina.move(movable as unknown as ArrayBuffer)
}

/** What `createThreadPool` was given for this thread. */
export function poolWorkerData(): unknown {
  return workerData
}
