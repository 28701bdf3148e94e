/** The write side of the server: maintenance of the store, and the queue of ingest requests. */

import { IngestQueue } from "../engine/ingest-queue.ts"
import { MaintenanceScheduler } from "../engine/maintenance-scheduler.ts"
import { delay } from "../runtime/timers.ts"
import type { Infrastructure } from "./infrastructure.ts"

export interface Engine {
  /** Not started yet. */
  readonly maintenance: MaintenanceScheduler
  readonly ingestQueue: IngestQueue
  /** Whether samples wait to be taken in; other work then leaves a core to them. */
  readonly isIngesting: () => boolean
}

export function createEngine(infrastructure: Infrastructure): Engine {
  const maintenance = createMaintenance(infrastructure)
  const ingestQueue = createIngestQueue(infrastructure, maintenance)
  return { maintenance, ingestQueue, isIngesting: () => ingestQueue.queueBytes > 0 }
}

function createMaintenance({ shard, clock, log, metrics, services }: Infrastructure) {
  return new MaintenanceScheduler({
    run: (moment) => shard.maintain(moment),
    nowMs: () => clock.nowMs(),
    elapsedMs: () => performance.now(),
    closedUpToMs: () => services.value.scheduler.closedUpToMs,
    delay,
    onStep: (_, durationMs) => metrics.onMaintenance(durationMs),
    onError: (err) => {
      metrics.onMaintenanceFailure()
      log.error({ err }, "background work failed")
    },
  })
}

function createIngestQueue(
  { config, clock, shard, idleGc, metrics }: Infrastructure,
  maintenance: MaintenanceScheduler,
): IngestQueue {
  return new IngestQueue({
    run: (task) => {
      idleGc.noteActivity()
      return shard.ingest(task).finally(() => maintenance.noteIngest())
    },
    schedule: setImmediate,
    clock,
    limits: { queueBytesMax: config.queueBytesMax },
    delay,
    onBatch: (figures) => metrics.onBatch(figures),
  })
}
