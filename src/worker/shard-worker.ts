/** The shard's thread: opens the store for writing and runs the main thread's tasks on it. */

import { getHeapStatistics } from "node:v8"
import { toWorkerResult, type WorkerResult } from "../engine/worker-result.ts"
import { poolWorkerData, eventLoopTurn, withTransfer } from "../engine/worker-pool.ts"
import { openDisk, freeBytesMinOf } from "../engine/disk.ts"
import { Shard } from "../engine/shard.ts"
import { StoreSupervisor, type OpenedStore } from "../engine/store-supervisor.ts"
import type {
  LimitsTask,
  ShardLimits,
  ShardTask,
  UnflushedSamples,
} from "../engine/shard-protocol.ts"
import { writeCompiledCode } from "../runtime/compile-cache.ts"
import { runGcTask, type GcTask } from "../runtime/gc.ts"
import { IngestReader } from "../ingest/ingest.ts"
import type { CardinalityLimits } from "../ingest/ingest.ts"
import type { Resolution } from "../model/resolution.ts"
import { buffersOfBatch } from "../model/sample-batch.ts"
import { createPinoLogger } from "../runtime/logger.ts"
import { endPhase, LogCell } from "../base/log.ts"
import { rowStates } from "../cycle/element-states.ts"
import { openWriteStore, scanStore } from "../store/open.ts"

export interface ShardWorkerData {
  readonly folder: string
  readonly retentionMs: Readonly<Record<Resolution, number>>
  readonly cycleGraceMs: number
  readonly acceptPastMs: number
  readonly acceptFutureMs: number
  readonly limits: ShardLimits
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

/** The limits of a thread; the settings may change while it runs. */
interface LiveLimits {
  freeBytesMin: number
  diskQuotaBytes: number
  readonly cardinality: { -readonly [name in keyof CardinalityLimits]: CardinalityLimits[name] }
}

interface OpenedShard {
  readonly shard: Shard
  setLimits(limits: ShardLimits): void
}

let opened: OpenedShard | null = null

function openShard(data: ShardWorkerData): OpenedShard {
  const limits = liveLimits(data.folder, data.limits)
  const log = createPinoLogger({ settings: new LogCell(data.logCell) })
  const elapsedMs = (): number => performance.now()
  const warn = (fields: object, message: string): void => log.warn({ ...fields }, message)
  const { folder } = data
  const keeper = new StoreSupervisor({
    opened: openStoreAndReader(data, { limits, elapsedMs, warn }),
    open: () => openStoreAndReader(data, { limits, elapsedMs, warn }),
    scan: () => scanStore(folder),
    disk: openDisk(folder),
    get freeBytesMin() {
      return limits.freeBytesMin
    },
    unflushedBytesMax: data.unflushedBytesMax,
    elapsedMs,
    warn,
  })
  const shard = new Shard({
    get store() {
      return keeper.store
    },
    get reader() {
      return keeper.reader
    },
    guard: keeper,
    get textBytesMax() {
      return limits.cardinality.textBytesMax
    },
    get diskQuotaBytes() {
      return limits.diskQuotaBytes
    },
    elapsedMs,
    warn,
  })
  const setLimits = (changed: ShardLimits): void => {
    const { cardinality, ...rest } = liveLimits(folder, changed)
    Object.assign(limits, rest)
    Object.assign(limits.cardinality, cardinality)
  }
  return { shard, setLimits }
}

function openStoreAndReader(
  data: ShardWorkerData,
  deps: {
    readonly limits: LiveLimits
    readonly elapsedMs: () => number
    readonly warn: (fields: object, message: string) => void
  },
): OpenedStore {
  const { limits, elapsedMs, warn } = deps
  const store = openWriteStore({
    folder: data.folder,
    retentionMs: data.retentionMs,
    cycleGraceMs: data.cycleGraceMs,
    flushSamplesMax: data.flushSamplesMax,
    partitionSamplesMax: data.partitionSamplesMax,
    rowStates,
    elapsedMs,
    warn,
  })
  const reader = new IngestReader({
    catalogue: store.catalogue,
    acceptPastMs: data.acceptPastMs,
    acceptFutureMs: data.acceptFutureMs,
    cardinality: limits.cardinality,
    cacheBytesMax: data.scannerCacheBytes,
    checkSampleLimit: (columns, from) => store.checkSampleLimit(columns, from),
  })
  return { store, reader }
}

/**
 * Texts of a tenant take at most a quarter of this thread's heap: each text is in memory with its
 * object, and again while it is parsed and stored.
 */
function liveLimits(folder: string, limits: ShardLimits): LiveLimits {
  const { cardinality, diskFloorBytes, diskQuotaBytes } = limits
  const textBytesMax = Math.min(
    cardinality.textBytesMax,
    Math.floor(getHeapStatistics().heap_size_limit / 4),
  )
  const freeBytesMin = freeBytesMinOf(folder, diskFloorBytes)
  return { freeBytesMin, diskQuotaBytes, cardinality: { ...cardinality, textBytesMax } }
}

/** The first task opens the store, and is answered with the error if that fails. */
export default function runTask(task: ShardTask | LimitsTask | GcTask | null): Promise<unknown> {
  if (task === null) return eventLoopTurn()
  if (task.kind === "collectGarbage") return runGcTask()
  const outcome = toWorkerResult(() => {
    opened ??= openShard(poolWorkerData() as ShardWorkerData)
    if (task.kind === "setLimits") return opened.setLimits(task.limits)
    return opened.shard.run(task as never)
  })
  return task.kind === "unflushedSamples" ? outcome.then(moveSamples) : outcome
}

/** Samples of a query are moved to it: a copy of them would take as much again on each thread. */
function moveSamples(outcome: WorkerResult<unknown>): unknown {
  if (!outcome.ok) return outcome
  return withTransfer(outcome, buffersOfBatch(outcome.value as UnflushedSamples))
}
