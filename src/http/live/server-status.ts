/** The server as `GET /status` shows it; the composition root supplies it. */

import type { TenantIndex } from "../../model/ids.ts"
import type { Resolution } from "../../model/resolution.ts"

/** Settings in force. Times are in milliseconds; a limit of 0 is none where the name allows it. */
export interface StatusSettings {
  readonly retentionMs: Readonly<Record<Resolution, number>>
  readonly bodyBytesMax: number
  readonly seriesMax: number
  readonly newSeriesPerMinuteMax: number
  readonly textBytesMax: number
  readonly diskQuotaBytes: number
  readonly eventsPerMinute: number
  readonly queryTimeoutMs: number
  /** Null: it is not set. */
  readonly baseUrl: string | null
}

export interface CycleStatus {
  /** Every cycle that ended at or before this instant is closed. */
  readonly closedUpToMs: number
  /** Duration of the last closing; null before the first one since the start. */
  readonly tookMs: number | null
  /** How long the next cycle is overdue. */
  readonly lagMs: number
}

/** The newest elements and series of a tenant, as its limits count them. */
export interface TenantCounts {
  readonly elements: number
  readonly series: number
}

/** Figures for the operator of the server only. */
export interface OperatorStatus {
  readonly storeBytes: number
  readonly freeDiskBytes: number
  readonly queueBytes: number
  /** Whether no samples are accepted. */
  readonly isReadOnly: boolean
  readonly failingNotifications: number
}

export interface StatusFigures {
  readonly counts: TenantCounts
  readonly operator: OperatorStatus
}

export interface ServerStatus {
  /** By the server's clock, in epoch milliseconds. */
  readonly startedMs: number
  readonly isSimulated: boolean
  /** Seconds of the server's clock in a second. */
  readonly speed: number
  settings(): StatusSettings
  cycle(): CycleStatus
  /** Figures of the store, as of one moment. */
  figures(tenant: TenantIndex): Promise<StatusFigures>
}
