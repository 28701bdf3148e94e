/** The server's status as of now, from the services that know a part of it. */

import type { Clock } from "../../base/clock.ts"
import type { Config } from "../../config/config.ts"
import type { ShardFigures } from "../../engine/shard.ts"
import type { ServerStatus, StatusSettings } from "../../http/http.ts"
import type { TenantIndex } from "../../model/ids.ts"
import { cycleMs } from "../../model/resolution.ts"

interface StatusServices {
  readonly ingestQueue: { readonly queueBytes: number }
  readonly deliveryWorker: { readonly figures: { readonly failingQueues: number } }
  readonly scheduler: { readonly closedUpToMs: number }
}

interface StatusDeps {
  readonly config: Config
  readonly clock: Clock
  readonly shard: { figures(): Promise<ShardFigures> }
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** Bound when something asks. */
  readonly services: { readonly value: StatusServices }
}

/** Age of the shard's figures that is shown: every open page asks for them. */
const figuresMsMax = 1_000

export class CurrentStatus implements ServerStatus {
  readonly startedMs: number
  readonly isSimulated: boolean
  readonly speed: number
  private readonly deps: StatusDeps
  private config: Config
  private tookMs: number | null = null
  private shardFigures: { readonly atMs: number; readonly value: Promise<ShardFigures> } | null =
    null

  constructor(deps: StatusDeps) {
    this.deps = deps
    this.config = deps.config
    this.startedMs = deps.clock.nowMs()
    this.isSimulated = deps.config.clock !== null
    this.speed = deps.config.clock?.speed ?? 1
  }

  /** Tells later callers the settings that were reloaded; those that need a restart stay. */
  reload(config: Config): void {
    const { bodyBytesMax, seriesMax, newSeriesPerMinuteMax, textBytesMax } = config
    const { diskQuotaBytes, eventsPerMinute, queryTimeoutMs, baseUrl } = config
    const sizes = { bodyBytesMax, seriesMax, newSeriesPerMinuteMax, textBytesMax, diskQuotaBytes }
    this.config = { ...this.config, ...sizes, eventsPerMinute, queryTimeoutMs, baseUrl }
  }

  /** Called after each closing, with its duration. */
  closed({ durationMs }: { readonly durationMs: number }): void {
    this.tookMs = Math.round(durationMs)
  }

  settings(): StatusSettings {
    return this.config
  }

  cycle() {
    const { clock, services } = this.deps
    const { closedUpToMs } = services.value.scheduler
    const dueMs = closedUpToMs + cycleMs + this.config.cycleGraceMs
    const lagMs = Math.max(0, Math.round(clock.nowMs() - dueMs))
    return { closedUpToMs, tookMs: this.tookMs, lagMs }
  }

  async figures(tenant: TenantIndex) {
    const { ingestQueue, deliveryWorker } = this.deps.services.value
    const { tenantElements, tenantSeries, ...store } = await this.readShard()
    const counts = { elements: tenantElements[tenant] ?? 0, series: tenantSeries[tenant] ?? 0 }
    const operator = {
      storeBytes: store.storeBytes,
      freeDiskBytes: store.freeDiskBytes,
      queueBytes: ingestQueue.queueBytes,
      isReadOnly: store.refusals.length > 0,
      failingNotifications: deliveryWorker.figures.failingQueues,
    }
    return { counts, operator }
  }

  /** As old as `figuresMsMax` at most, however many pages ask; a failure is not kept. */
  private readShard(): Promise<ShardFigures> {
    const nowMs = this.deps.elapsedMs()
    const known = this.shardFigures
    if (known !== null && nowMs - known.atMs < figuresMsMax) return known.value
    const value = this.deps.shard.figures()
    this.shardFigures = { atMs: nowMs, value }
    value.catch(() => (this.shardFigures = null))
    return value
  }
}
