/** Composes the monitoring of the server itself: its own metrics and its readiness. */

import type { AnswerMemory } from "../base/answer-memory.ts"
import type { Clock } from "../base/clock.ts"
import type { Config } from "../config/config.ts"
import type { CycleScheduler } from "../cycle/cycle-scheduler.ts"
import { Health } from "../engine/health.ts"
import type { IngestQueue } from "../engine/ingest-queue.ts"
import type { MemoryGuard } from "../engine/memory-guard.ts"
import type { ShardClient } from "../engine/shard-client.ts"
import { Metrics } from "../http/http.ts"
import { outboxPrefix } from "../notify/outbox.ts"
import type { DeliveryWorker } from "../notify/delivery-worker.ts"
import type { Admission, QueryRequest, ReservedAnswer } from "../query/query.ts"
import type { Audit } from "../records/core/audit.ts"
import type { Records } from "../records/records.ts"
import { repeat } from "../runtime/timers.ts"
import { version } from "../runtime/version.ts"
import type { ServerBackups } from "./backup/backups.ts"
import type { LateBinding } from "./late-binding.ts"
import type { CertificateWatch } from "./reload/certificate-watch.ts"

interface MetricsDeps {
  readonly config: Pick<Config, "memory">
  readonly memoryGuard: Pick<MemoryGuard, "figures">
  readonly shard: ShardClient
  readonly memory: AnswerMemory
  readonly audit: Pick<Audit, "figures">
}

interface HealthDeps {
  readonly config: Pick<Config, "cycleGraceMs">
  readonly clock: Clock
  readonly shard: ShardClient
  readonly memoryGuard: Pick<MemoryGuard, "reason">
}

/** Services that report figures, or that lower layers call when something happens. */
export interface MonitoredServices {
  readonly ingestQueue: IngestQueue
  readonly records: Records
  readonly deliveryWorker: DeliveryWorker
  readonly scheduler: CycleScheduler
  readonly health: Health
  readonly admission: Admission
  readonly backups: ServerBackups
  /** Answers a query of the server itself. */
  readonly ask: (request: QueryRequest) => Promise<ReservedAnswer>
  /** Null: plain HTTP. */
  readonly certificates: Pick<CertificateWatch, "validToMs"> | null
}

export function createMetrics(
  { config, shard, memory, memoryGuard, audit }: MetricsDeps,
  services: LateBinding<MonitoredServices>,
): Metrics {
  return new Metrics({
    figures: () => shard.figures(),
    queueBytes: () => services.value.ingestQueue.queueBytes,
    answerBytes: () => memory.usedBytes,
    memoryPlan: { limitBytes: config.memory.limit.bytes, parts: config.memory.parts },
    memory: () => memoryGuard.figures,
    events: () => services.value.records.events.figures,
    deliveries: () => services.value.deliveryWorker.figures,
    queries: () => services.value.admission.figures,
    backups: () => services.value.backups.schedule?.figures ?? null,
    security: () => audit.figures,
    version,
    state: () => {
      const { closedUpToMs, missedCycles } = services.value.scheduler
      const isReady = services.value.health.reasons().length === 0
      const certificateValidToMs = services.value.certificates?.validToMs ?? null
      return { closedUpToMs, missedCycles, isReady, certificateValidToMs }
    },
    waitingNotifications: () => shard.countDocuments(outboxPrefix),
    elapsedMs: () => performance.now(),
  })
}

export function createHealth(
  { config, clock, shard, memoryGuard }: HealthDeps,
  { scheduler, admission }: Pick<MonitoredServices, "scheduler" | "admission">,
): Health {
  return new Health({
    figures: () => shard.figures(),
    nowMs: () => clock.nowMs(),
    elapsedMs: () => performance.now(),
    closedUpToMs: () => scheduler.closedUpToMs,
    cycleGraceMs: config.cycleGraceMs,
    queryOverdueMs: () => admission.overdueMs(),
    memoryReason: () => memoryGuard.reason,
    repeat,
  })
}
