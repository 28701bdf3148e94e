/** One shard's thread: opens the store for writing and does the tasks that the main thread sends. */

import { toOutcome } from "./engine/outcome.ts"
import { poolWorkerData } from "./engine/pool.ts"
import { Shard } from "./engine/shard.ts"
import type { ShardTask } from "./engine/task.ts"
import { IngestReader } from "./ingest/ingest.ts"
import type { Resolution } from "./model/resolution.ts"
import { createPinoLogger } from "./log-pino.ts"
import type { LogLevel } from "./base/log.ts"
import { openWriteStore } from "./store/open.ts"

export interface ShardWorkerData {
  readonly folder: string
  readonly retentionMs: Readonly<Record<Resolution, number>>
  readonly cycleGraceMs: number
  readonly acceptPastMs: number
  readonly acceptFutureMs: number
  readonly logLevel: LogLevel
  readonly logFormat: "text" | "json"
}

let shard: Shard | null = null

function openShard(data: ShardWorkerData): Shard {
  const log = createPinoLogger({ level: data.logLevel, format: data.logFormat })
  const elapsedMs = (): number => performance.now()
  const store = openWriteStore({
    folder: data.folder,
    retentionMs: data.retentionMs,
    cycleGraceMs: data.cycleGraceMs,
    elapsedMs,
    warn: (fields, message) => log.warn(fields, message),
  })
  const reader = new IngestReader({
    catalogue: store.catalogue,
    acceptPastMs: data.acceptPastMs,
    acceptFutureMs: data.acceptFutureMs,
  })
  return new Shard({ store, reader, elapsedMs })
}

/** Opened by the first task, so that a store that cannot be opened is that task's answer. */
export default function runTask(task: ShardTask): Promise<unknown> {
  return toOutcome(() => {
    shard ??= openShard(poolWorkerData() as ShardWorkerData)
    return shard.run(task as never)
  })
}
