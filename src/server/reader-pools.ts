/** Opens the threads that read the store, a pool with its own queue for each purpose. */

import type { SharedAnswerMemory } from "../base/answer-memory.ts"
import type { TenantDirectory } from "../accounts/tenant-directory.ts"
import { partitionMs, type ReaderPools } from "./query-dispatcher.ts"
import type { Config } from "../config/config.ts"
import { createThreadPool, type ThreadPool, type ThreadPoolOptions } from "../engine/worker-pool.ts"
import type { QueryTask, QueryWorkerData, ReaderRole } from "../worker/query-worker.ts"

interface ReaderPoolsOptions {
  readonly config: Pick<Config, "memory" | "dataPath" | "legacyNames">
  readonly directory: TenantDirectory
  readonly answers: SharedAnswerMemory
  /** URL of the module query-worker. */
  readonly filename: string
  readonly repeat: ThreadPoolOptions["repeat"]
}

/** Opens the pools. The store may be opened after that, but before their first task. */
export function openReaderPools(options: ReaderPoolsOptions): ReaderPools {
  const { config, directory, answers, filename, repeat } = options
  const { workerCount, scanWorkerCount, closingThreads } = config.memory
  const open = (role: ReaderRole, own: RolePoolOptions, isStoreOpen = true): ThreadPool => {
    const workerData: QueryWorkerData = {
      folder: config.dataPath,
      tenants: directory.memory,
      role,
      isStoreOpen,
      answers,
      partitionMs: scanWorkerCount === 0 ? Infinity : partitionMs,
      legacyNames: config.legacyNames,
    }
    return createThreadPool({ filename, ...own, tasksPerThread: 1, workerData, repeat })
  }
  const forQueries = { nurseryMb: config.memory.queryNurseryMb }
  const forScans = { nurseryMb: config.memory.scanNurseryMb }
  return {
    // The first query needs one, which loads its modules now; the warm-up starts the others.
    queryPool: open("query", { threads: workerCount, threadsAtStart: 1, ...forQueries }, false),
    // These cost no memory until they are needed.
    extraPool: open("query", { threads: 1, threadsAtStart: 0, ...forQueries }),
    scanPool:
      scanWorkerCount === 0
        ? null
        : open("scan", { threads: scanWorkerCount, threadsAtStart: 0, ...forScans }),
    // Started after the warm-up, or by a closing before its end.
    closingPool: open("closing", { threads: closingThreads, threadsAtStart: 0, ...forScans }),
  }
}

/**
 * Opens the store on threads of a pool, which start if they have not. Never rejects: a failure is
 * reported to the first query.
 */
export async function openStoreOn(pool: Pick<ThreadPool, "run">, threads = 1): Promise<void> {
  const task: QueryTask = { kind: "open" }
  await Promise.allSettled(Array.from({ length: threads }, () => pool.run(task)))
}

type RolePoolOptions = Pick<ThreadPoolOptions, "threads" | "threadsAtStart" | "nurseryMb">

export async function closeReaderPools(pools: ReaderPools): Promise<void> {
  for (const pool of poolsOf(pools)) await pool.close()
}

/** All of them, in the order in which they are closed. */
export function poolsOf(pools: ReaderPools): readonly ThreadPool[] {
  const { queryPool, extraPool, scanPool, closingPool } = pools
  return [queryPool, extraPool, closingPool, ...(scanPool === null ? [] : [scanPool])]
}
