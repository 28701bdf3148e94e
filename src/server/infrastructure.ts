/**
 * The base of all services of a server: the storage layer, the threads that read the store, the
 * clock, the metrics, and the late binding by which lower services reach higher ones.
 */

import { TenantDirectory } from "../accounts/tenant-directory.ts"
import { AnswerMemory, createAnswerMemory } from "../base/answer-memory.ts"
import type { Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import type { Config } from "../config/config.ts"
import { memoryThresholds } from "../config/memory-plan.ts"
import { MemoryGuard } from "../engine/memory-guard.ts"
import type { ThreadPool } from "../engine/worker-pool.ts"
import { IngestActivity, type Metrics, type StreamHub } from "../http/http.ts"
import { collectIfGrown, type GcTask } from "../runtime/gc.ts"
import { IdleGarbageCollector } from "../runtime/idle-gc.ts"
import { residentBytesOfProcess, unreclaimableBytes } from "../runtime/memory-use.ts"
import { resources } from "../runtime/resources.ts"
import { readSystemFile } from "../runtime/system-file.ts"
import { repeat } from "../runtime/timers.ts"
import { LateBinding } from "./late-binding.ts"
import type { ReaderPools } from "./query-dispatcher.ts"
import { closeReaderPools, openReaderPools, openStoreOn, poolsOf } from "./reader-pools.ts"
import { createMetrics, type MonitoredServices } from "./self-monitoring.ts"
import type { CleanupStack } from "./startup/cleanup-stack.ts"
import type { StartOptions } from "./startup/start-options.ts"
import { lockStore, openStorage, type Storage } from "./storage.ts"
import { createStreams } from "./watch/streams.ts"

export interface Infrastructure extends Storage, ReaderPools {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  /** Bytes of answers that clients have not taken yet. */
  readonly memory: AnswerMemory
  readonly idleGc: IdleGarbageCollector
  readonly memoryGuard: MemoryGuard
  readonly metrics: Metrics
  /** Requests with samples that accounts have sent lately. */
  readonly activity: IngestActivity
  readonly streams: StreamHub
  /** Bound when all of them are created, before the server listens. */
  readonly services: LateBinding<MonitoredServices>
}

/** Opens storage and threads. Throws a `ServiceError` if the store cannot be opened. */
export async function openInfrastructure(
  options: StartOptions,
  clock: Clock,
  cleanup: CleanupStack,
): Promise<Infrastructure> {
  const { config, log } = options
  const lock = await lockStore(options, cleanup)
  const directory = new TenantDirectory()
  const answers = createAnswerMemory(config.answerBytesMax)
  const filename = resources.workerFile("query-worker")
  // The first thread loads its modules while the store is opened.
  const pools = openReaderPools({ config, directory, answers, filename, repeat })
  cleanup.add(() => closeReaderPools(pools))
  const storage = await openStorage(options, clock, { lock, directory }, cleanup)
  void openStoreOn(pools.queryPool)
  const collectors = collectorsOf([storage.shardPool, ...poolsOf(pools)])
  const idleGc = createIdleGc(collectors)
  const memory = new AnswerMemory(answers)
  const services = new LateBinding<MonitoredServices>()
  const memoryGuard = createMemoryGuard({ config, log, collectors, services })
  const metrics = createMetrics({ ...storage, config, memory, memoryGuard }, services)
  const activity = new IngestActivity()
  const streams = createStreams({ ...storage, config, clock, activity, services })
  const own = { config, log, clock, memory, idleGc, memoryGuard, metrics, services }
  return { ...storage, ...pools, ...own, activity, streams }
}

/** Each collects on one thread, or on all of a pool. */
type Collectors = readonly (() => Promise<unknown>)[]

function collectorsOf(pools: readonly ThreadPool[]): Collectors {
  const task: GcTask = { kind: "collectGarbage" }
  return [...pools.map((pool) => () => pool.runOnAll(task)), collectIfGrown]
}

function createMemoryGuard({
  config,
  log,
  collectors,
  services,
}: Pick<Infrastructure, "config" | "log" | "services"> & {
  readonly collectors: Collectors
}): MemoryGuard {
  return new MemoryGuard({
    thresholds: memoryThresholds(config.memory),
    usedBytes: () =>
      unreclaimableBytes({
        readFile: readSystemFile,
        limitSource: config.memory.limit.source,
        residentBytes: residentBytesOfProcess,
      }),
    collect: async () => {
      for (const collect of collectors) await collect()
    },
    onShort: (isShort) => {
      services.value.ingestQueue.setMemoryShort(isShort)
      services.value.admission.setMemoryShort(isShort)
    },
    elapsedMs: () => performance.now(),
    repeat,
    warn: (fields, message) => log.warn(fields, message),
  })
}

function createIdleGc(threads: Collectors): IdleGarbageCollector {
  return new IdleGarbageCollector({
    cpuMs: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    },
    threads,
    repeat,
  })
}
