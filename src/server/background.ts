/** Background tasks: cycles, maintenance, retention, checks, deliveries, memory. */

import { PeriodicTask } from "../base/async.ts"
import { keyUsesStoredMs } from "../base/limits/keys.ts"
import type { CycleScheduler } from "../cycle/cycle-scheduler.ts"
import type { MaintenanceScheduler } from "../engine/maintenance-scheduler.ts"
import type { DeliveryWorker } from "../notify/delivery-worker.ts"
import type { BundledPackages } from "../packages/bundled.ts"
import { RecordRetention } from "../records/record-retention.ts"
import type { Records } from "../records/records.ts"
import { isTuningOn } from "../config/tunings.ts"
import { tuneHeapGrowth } from "../runtime/gc.ts"
import { writeCompiledCode } from "../runtime/compile-cache.ts"
import { delay } from "../runtime/timers.ts"
import type { Infrastructure } from "./infrastructure.ts"
import type { SelfWatch } from "./watch/self-watch.ts"

/** A background task, which resolves when its running step has ended. */
export interface BackgroundTask {
  stop(): Promise<void> | void
}

export interface BackgroundServices {
  readonly records: Records
  readonly bundled: BundledPackages
  readonly scheduler: CycleScheduler
  readonly maintenance: MaintenanceScheduler
  readonly deliveryWorker: DeliveryWorker
  readonly selfWatch: SelfWatch
}

/** Starts them; the result is in the order in which they stop. */
export async function startBackground(
  infrastructure: Infrastructure,
  { records, bundled, scheduler, maintenance, deliveryWorker, selfWatch }: BackgroundServices,
): Promise<readonly BackgroundTask[]> {
  const { log, tenants, idleGc, memoryGuard, clock, audit, trustsClock } = infrastructure
  const { checkMonitor } = records
  const retention = new RecordRetention({
    records,
    audit,
    tenants,
    clock,
    trustsClock,
    delay,
    onError: (err) => log.error({ err }, "removing old events failed"),
  })
  const keyUses = startKeyUses(infrastructure)
  await scheduler.start()
  maintenance.start()
  retention.start()
  checkMonitor.start({
    tenants,
    delay,
    onError: (err) => log.error({ err }, "looking for expired checks failed"),
  })
  deliveryWorker.start()
  selfWatch.start()
  if (isTuningOn(process.env, "idle-gc")) idleGc.start()
  memoryGuard.start()
  const installing = { stop: () => bundled.drained() }
  return [
    selfWatch,
    installing,
    scheduler,
    maintenance,
    retention,
    checkMonitor,
    deliveryWorker,
    keyUses,
    idleGc,
    memoryGuard,
  ]
}

/** Stores when API keys were used last: once an hour, and at the stop. */
function startKeyUses({ accounts, log }: Infrastructure): BackgroundTask {
  const task = new PeriodicTask({
    delay,
    run: async () => {
      await accounts.keyUses.store()
      return keyUsesStoredMs
    },
    onError: (err) => {
      log.error({ err }, "storing the last uses of API keys failed")
      return keyUsesStoredMs
    },
  })
  task.start(keyUsesStoredMs)
  return {
    stop: async () => {
      await task.stop()
      // A full disk must not keep the server from stopping.
      await accounts.keyUses.store().catch(() => {})
    },
  }
}

/** Sets V8's flags, for all threads, as soon as `loaded` resolves (`WarmUp.loaded`). */
export function startV8Tuning(
  { config, shard }: Pick<Infrastructure, "config" | "shard">,
  loaded: Promise<void>,
): BackgroundTask {
  void loaded.then(writeCompiledCode)
  const { heapGrowthSeriesMax } = config.memory
  if (heapGrowthSeriesMax === 0 || !isTuningOn(process.env, "heap-growth")) {
    return { stop: () => {} }
  }
  const stop = tuneHeapGrowth(async () => {
    await loaded
    return (await shard.figures()).seriesCount
  }, heapGrowthSeriesMax)
  return { stop }
}
