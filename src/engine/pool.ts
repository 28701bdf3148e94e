/**
 * Pool: threads that do tasks. The only file that knows Piscina.
 *
 * Measured (Node 20.20, 2 cores): a task costs 46 µs with Piscina's defaults, 11 to 15 µs with
 * several tasks a worker. So nothing here is called once a request; see intake.ts.
 */

import { Piscina, workerData } from "piscina"

export interface Pool {
  /** Does one task on one thread. Rejects with what the task threw. */
  run<Answer>(task: unknown): Promise<Answer>
  /** Waits for running tasks, then ends the threads. */
  close(): Promise<void>
}

export interface ThreadPoolOptions {
  /**
   * URL of the worker's module; its default export is called with each task, and with null, which
   * asks only whether the module is loaded.
   */
  readonly filename: string
  readonly threads: number
  /** Tasks that may wait at one thread, so that it never idles between two. */
  readonly tasksPerThread: number
  /** Handed to the worker's module; structured-clonable. */
  readonly workerData: unknown
}

/** Starts the threads; they live until `close`. */
export function createThreadPool(options: ThreadPoolOptions): Pool {
  const piscina = new Piscina({
    filename: options.filename,
    minThreads: options.threads,
    maxThreads: options.threads,
    concurrentTasksPerWorker: options.tasksPerThread,
    workerData: options.workerData,
    // Queues are bounded where requests come in (intake, HTTP); a bound here would only lose tasks.
    maxQueue: Infinity,
    idleTimeout: Infinity,
    recordTiming: false,
    // Columns and buffers die young: a larger nursery halves what collecting them costs.
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  })
  return {
    run: (task) => piscina.run(task) as Promise<never>,
    close: async () => {
      // A thread that is ended while it still loads its module aborts the process (Node 20:
      // "IsGraphAsync must be used on an instantiated module"). Each idle thread takes one.
      await Promise.all(Array.from({ length: options.threads }, () => piscina.run(null)))
      await piscina.close()
    },
  }
}

/** What `createThreadPool` was given for this thread. */
export function poolWorkerData(): unknown {
  return workerData
}
