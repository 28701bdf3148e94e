/** The shard's thread, which opens the store with its first task. */

import type { Config } from "../config/config.ts"
import { createThreadPool, type ThreadPool } from "../engine/worker-pool.ts"
import { resources } from "../runtime/resources.ts"
import { repeat } from "../runtime/timers.ts"
import type { ShardWorkerData } from "../worker/shard-worker.ts"
import { shardLimits } from "./startup/shard-limits.ts"

type ShardLog = Pick<ShardWorkerData, "logCell">

/**
 * Starts the thread, which loads its modules and does nothing else before the first task: it can
 * be started before the store is locked, while this thread loads modules of its own.
 */
export function startShardThread(config: Config, log: ShardLog): ThreadPool {
  return createThreadPool({
    filename: resources.workerFile("shard-worker"),
    threads: 1,
    nurseryMb: config.memory.shardNurseryMb,
    tasksPerThread: 3,
    workerData: shardData(config, log),
    repeat,
  })
}

function shardData(config: Config, log: ShardLog): ShardWorkerData {
  const { retentionMs, cycleGraceMs, acceptPastMs, acceptFutureMs } = config
  const times = { retentionMs, cycleGraceMs, acceptPastMs, acceptFutureMs }
  const { unflushedBytesMax, flushSamplesMax, partitionSamplesMax, scannerCacheBytes } =
    config.memory
  const memory = { unflushedBytesMax, flushSamplesMax, partitionSamplesMax, scannerCacheBytes }
  return { folder: config.dataPath, ...times, limits: shardLimits(config), ...memory, ...log }
}
