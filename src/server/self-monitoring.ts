/** Composes what the server tells of itself: its own metrics and its readiness. */

import type { AnswerMemory } from "../base/answer-memory.ts"
import type { Clock } from "../base/clock.ts"
import type { Config } from "../config/config.ts"
import type { CycleScheduler } from "../cycle/cycle-scheduler.ts"
import { Health } from "../engine/health.ts"
import type { IngestQueue } from "../engine/ingest-queue.ts"
import type { ShardClient } from "../engine/shard-client.ts"
import { Metrics } from "../http/http.ts"
import { outboxPrefix } from "../notify/outbox.ts"
import type { DeliveryWorker } from "../notify/delivery-worker.ts"
import type { Admission } from "../query/query.ts"
import type { Audit } from "../records/core/audit.ts"
import type { Records } from "../records/records.ts"
import { repeat } from "../runtime/timers.ts"
import { version } from "../runtime/version.ts"

interface SelfMonitoringDeps {
  readonly config: Pick<Config, "cycleGraceMs">
  readonly clock: Clock
  readonly shard: ShardClient
  readonly memory: AnswerMemory
  readonly audit: Pick<Audit, "figures">
}

interface MonitoredServices {
  readonly intake: IngestQueue
  readonly records: Records
  readonly postman: DeliveryWorker
  readonly ticker: CycleScheduler
  readonly health: Health
  readonly admission: Admission
}

/** `rooms` is called when figures are asked for, by when all of them are made. */
export function createMetrics(
  { shard, memory, audit }: SelfMonitoringDeps,
  rooms: () => MonitoredServices,
): Metrics {
  return new Metrics({
    figures: () => shard.figures(),
    queueBytes: () => rooms().intake.queueBytes,
    answerBytes: () => memory.usedBytes,
    events: () => rooms().records.events.figures,
    deliveries: () => rooms().postman.figures,
    queries: () => rooms().admission.figures,
    security: () => audit.figures,
    version,
    state: () => {
      const { closedUpToMs, missedCycles } = rooms().ticker
      return { closedUpToMs, missedCycles, isReady: rooms().health.reasons().length === 0 }
    },
    waitingNotifications: () => shard.countDocuments(outboxPrefix),
    elapsedMs: () => performance.now(),
  })
}

export function createHealth(
  { config, clock, shard }: SelfMonitoringDeps,
  { ticker, admission }: Pick<MonitoredServices, "ticker" | "admission">,
): Health {
  return new Health({
    figures: () => shard.figures(),
    nowMs: () => clock.nowMs(),
    elapsedMs: () => performance.now(),
    closedUpToMs: () => ticker.closedUpToMs,
    cycleGraceMs: config.cycleGraceMs,
    queryOverdueMs: () => admission.overdueMs(),
    repeat,
  })
}
