/** The shard's thread: opens the store for writing and runs the main thread's tasks on it. */

import { getHeapStatistics } from "node:v8"
import { toWorkerResult } from "../engine/worker-result.ts"
import { poolWorkerData, eventLoopTurn } from "../engine/worker-pool.ts"
import { openDisk, freeBytesMinOf } from "../engine/disk.ts"
import { Shard } from "../engine/shard.ts"
import { StoreSupervisor, type OpenedStore } from "../engine/store-supervisor.ts"
import type { ShardTask } from "../engine/shard-protocol.ts"
import { writeCompiledCode } from "../runtime/compile-cache.ts"
import { runGcTask, type GcTask } from "../runtime/gc.ts"
import { IngestReader } from "../ingest/ingest.ts"
import type { CardinalityLimits } from "../ingest/ingest.ts"
import type { Resolution } from "../model/resolution.ts"
import { createPinoLogger } from "../runtime/logger.ts"
import { endPhase, LogCell } from "../base/log.ts"
import { openWriteStore, scanStore } from "../store/open.ts"

export interface ShardWorkerData {
  readonly folder: string
  readonly retentionMs: Readonly<Record<Resolution, number>>
  readonly cycleGraceMs: number
  readonly acceptPastMs: number
  readonly acceptFutureMs: number
  readonly cardinality: CardinalityLimits
  readonly diskFloorBytes: number
  readonly diskQuotaBytes: number
  /** Of the memory plan, likewise the three below. */
  readonly unflushedBytesMax: number
  readonly flushSamplesMax: number
  readonly partitionSamplesMax: number
  readonly scannerCacheBytes: number
  /** Memory of the cell of the loggers. */
  readonly logCell: SharedArrayBuffer
}

writeCompiledCode()
endPhase("shard thread: modules loaded")

let shard: Shard | null = null

function openShard(data: ShardWorkerData): Shard {
  const log = createPinoLogger({ settings: new LogCell(data.logCell) })
  const elapsedMs = (): number => performance.now()
  const warn = (fields: object, message: string): void => log.warn({ ...fields }, message)
  const { folder } = data
  const keeper = new StoreSupervisor({
    opened: openStoreAndReader(data, elapsedMs, warn),
    open: () => openStoreAndReader(data, elapsedMs, warn),
    scan: () => scanStore(folder),
    disk: openDisk(folder),
    freeBytesMin: freeBytesMinOf(folder, data.diskFloorBytes),
    unflushedBytesMax: data.unflushedBytesMax,
    elapsedMs,
    warn,
  })
  return new Shard({
    get store() {
      return keeper.store
    },
    get reader() {
      return keeper.reader
    },
    guard: keeper,
    textBytesMax: textBytesMaxOf(data),
    diskQuotaBytes: data.diskQuotaBytes,
    elapsedMs,
    warn,
  })
}

function openStoreAndReader(
  data: ShardWorkerData,
  elapsedMs: () => number,
  warn: (fields: object, message: string) => void,
): OpenedStore {
  const store = openWriteStore({
    folder: data.folder,
    retentionMs: data.retentionMs,
    cycleGraceMs: data.cycleGraceMs,
    flushSamplesMax: data.flushSamplesMax,
    partitionSamplesMax: data.partitionSamplesMax,
    elapsedMs,
    warn,
  })
  const reader = new IngestReader({
    catalogue: store.catalogue,
    acceptPastMs: data.acceptPastMs,
    acceptFutureMs: data.acceptFutureMs,
    cardinality: { ...data.cardinality, textBytesMax: textBytesMaxOf(data) },
    cacheBytesMax: data.scannerCacheBytes,
    checkSampleLimit: (columns, from) => store.checkSampleLimit(columns, from),
  })
  return { store, reader }
}

/**
 * The setting, but at most a quarter of this thread's heap: each text is in memory with its object,
 * and again while it is parsed and stored.
 */
function textBytesMaxOf({ cardinality }: ShardWorkerData): number {
  return Math.min(cardinality.textBytesMax, Math.floor(getHeapStatistics().heap_size_limit / 4))
}

/** The first task opens the store, and is answered with the error if that fails. */
export default function runTask(task: ShardTask | GcTask | null): Promise<unknown> {
  if (task === null) return eventLoopTurn()
  if (task.kind === "collectGarbage") return runGcTask()
  return toWorkerResult(() => {
    shard ??= openShard(poolWorkerData() as ShardWorkerData)
    return shard.run(task as never)
  })
}
