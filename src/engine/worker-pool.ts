/**
 * Worker pool: threads that run tasks. The only file that knows Piscina.
 *
 * Measured (Node 20.20, 2 cores): a task costs 46 µs with Piscina's defaults, 11 to 15 µs with
 * several tasks a worker. So requests are batched before they get here; see ingest-queue.ts.
 */

import type { Transferable } from "node:worker_threads"
import { Piscina, workerData } from "piscina"

export interface WorkerPool {
  /** Runs one task on one thread, which then owns `moved`. Rejects with what the task threw. */
  run<Answer>(task: unknown, moved?: readonly Transferable[]): Promise<Answer>
  /** Waits for running tasks, then ends the threads. */
  close(): Promise<void>
}

export interface ThreadPool extends WorkerPool {
  readonly threads: number
  /** Tasks that run or wait. */
  readonly taskCount: number
  /** Runs a task on each started thread. */
  runOnAll(task: unknown): Promise<unknown>
}

export interface ThreadPoolOptions {
  /**
   * URL of the worker's module. Its default export is called with each task, and with null, which
   * it answers with `eventLoopTurn`.
   */
  readonly filename: string
  readonly threads: number
  /**
   * How many of them start immediately, all by default. The others start if more tasks wait than
   * threads are idle.
   */
  readonly threadsAtStart?: number
  /** V8's young generation: two semi-spaces, and the same again for large objects. */
  readonly nurseryMb: number
  /** Tasks that may wait at one thread, so that it does not idle between two. */
  readonly tasksPerThread: number
  /** Passed to the worker's module; structured-clonable. */
  readonly workerData: unknown
  /** Calls back periodically without keeping the process alive; returns a function that ends it. */
  readonly repeat: (callback: () => void, everyMs: number) => () => void
}

/**
 * How often each thread runs its event loop. Between tasks Piscina waits in `Atomics.wait`, where
 * no timer fires and V8 does none of its own work: each snapshot that lmdb opens leaves a timer of
 * 200 bytes, and V8 returns little of the free memory of a thread.
 * The timers of one second, some thousands, fire in a few milliseconds.
 */
const turnEveryMs = 1000

/** Starts threads; they live until `close`. */
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const piscina = new Piscina({
    filename: options.filename,
    minThreads: options.threadsAtStart ?? options.threads,
    maxThreads: options.threads,
    concurrentTasksPerWorker: options.tasksPerThread,
    workerData: options.workerData,
    // Queues are bounded where requests arrive (ingest queue, HTTP); a bound here would lose tasks.
    maxQueue: Infinity,
    idleTimeout: Infinity,
    recordTiming: false,
    resourceLimits: { maxYoungGenerationSizeMb: options.nurseryMb },
  })
  // Each idle thread takes one of the tasks.
  const runOnAll = (task: unknown) => Promise.all(piscina.threads.map(() => piscina.run(task)))
  const turnAll = () => runOnAll(null)
  const allLoaded = trackLoading(piscina)
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
      // Ending a thread that still loads its module aborts the process (Node 20: "IsGraphAsync must
      // be used on an instantiated module").
      await allLoaded()
      await turnAll()
      await piscina.close()
    },
  }
}

/**
 * Returns a function that resolves when no thread loads its module that was started after the first
 * ones. Those have tasks from the beginning, which they run when they have loaded theirs.
 */
function trackLoading(piscina: Piscina): () => Promise<void> {
  const loaded = new Set<number>()
  let onChange = (): void => {}
  piscina.on("workerCreate", ({ id }: { readonly id: number }) => {
    loaded.add(id)
    onChange()
  })
  piscina.on("workerDestroy", () => onChange())
  const isLoading = (): boolean => piscina.threads.some(({ threadId }) => !loaded.has(threadId))
  return async () => {
    while (isLoading()) await new Promise<void>((resolve) => (onChange = resolve))
  }
}

/** Returns a function that calls `work` unless the previous call is unsettled. */
function oneAtATime(work: () => Promise<unknown>): () => void {
  let isRunning = false
  return () => {
    if (isRunning) return
    isRunning = true
    const done = () => (isRunning = false)
    // The failure of a thread is reported to the callers of its tasks.
    work().then(done, done)
  }
}

/** Resolves after due timers and V8's own tasks of this thread have run. */
export function eventLoopTurn(): Promise<null> {
  // The first runs at the end of this turn of the loop, the second at the end of the next.
  return new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(null))))
}

/** Wraps an answer so that `buffers` are transferred to the receiver instead of copied. */
export function withTransfer(answer: unknown, buffers: readonly ArrayBuffer[]): unknown {
  if (buffers.length === 0) return answer
  const movable = { [Piscina.transferableSymbol]: buffers, [Piscina.valueSymbol]: answer }
  return Piscina.move(movable as unknown as ArrayBuffer)
}

/** The `workerData` that `createThreadPool` was given for this thread. */
export function poolWorkerData(): unknown {
  return workerData
}
