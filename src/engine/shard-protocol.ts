/**
 * Messages between the main thread and the worker threads. Everything in them is
 * structured-clonable; byte arrays are shared or transferred, never copied twice.
 */

import type { CardinalityLimits, LeftOutReport } from "../ingest/ingest.ts"
import type { UnflushedSamples } from "../store/append-store.ts"
import type { CycleBatch } from "../store/cycle-store.ts"
import type { MaintenanceOptions, StoreFigures } from "../store/maintenance-store.ts"
import type { CatalogueEdit } from "../model/records/catalogue-edit.ts"
import type { PostedEvent } from "../model/records/posted-event.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { DocumentChange, IdRange, StoredDocument } from "../model/document.ts"
import type { Span } from "../model/span.ts"

/** Integers for each request in `IngestTask.requests`. */
export const requestInts = 4
/** Offset of the body in `bytes`, its length, the tenant index, flags. */
export const requestOffset = 0
export const requestLength = 1
export const requestTenant = 2
export const requestFlags = 3

/** INJECT_TIMESTAMP was requested. */
export const flagInjectTimestamp = 1
/** SEND_RESPONSE_BODY was requested: the answer lists the samples that were left out. */
export const flagReportLeftOut = 2
/** The body may be collectd's own JSON. */
export const flagCollectd = 4
/** Position of the bits above the flags, which hold the index into `charsets`. */
export const charsetShift = 3

/** Request bodies end to end: one event-loop turn of HTTP, one group commit of the shard. */
export interface IngestTask {
  readonly kind: "ingest"
  /** Owned by the sender again once the answer has arrived. */
  readonly bytes: Uint8Array
  /** `requestInts` integers a request. */
  readonly requests: Int32Array
  readonly nowMs: number
}

/** The results of the requests of an `IngestTask`, in its order. */
export interface IngestAnswer {
  /** 202, 400, 429 if it exceeds a rate or quota, or 503 if the store refused. */
  readonly statuses: Uint16Array
  /** Elements received, for the detailed success body. */
  readonly elements: Int32Array
  /** Samples of each request, for the rate limit of its key. */
  readonly requestSamples: Int32Array
  /** Of the latest sample of each request, as sent; -Infinity without samples. */
  readonly latestTimesMs: Float64Array
  /** Why each request that was refused, or stored in part, was. */
  readonly refusals: readonly IngestRefusal[]
  /** The events that came with samples, which the receiver stores; absent if there are none. */
  readonly events?: readonly RequestEvents[]
  /** The samples left out of each request that was stored without some of them. */
  readonly leftOut: readonly RequestLeftOut[]
  readonly samples: number
  readonly newSeries: number
  readonly unflushedSamples: number
  /** True if readers may not see all series yet. */
  readonly hasUnflushedSeries: boolean
  /** Duration of the group commit with its sync. */
  readonly commitMs: number
}

export interface RequestEvents {
  /** Index of the request in its task. */
  readonly request: number
  readonly events: readonly PostedEvent[]
}

export interface RequestLeftOut extends LeftOutReport {
  /** Index of the request in its task. */
  readonly request: number
}

export interface IngestRefusal {
  /** Index of the request in its task. */
  readonly request: number
  /** The kind of refusal, such as "Input Validation Failed"; see RefusalDetail in ingest/. */
  readonly detail: string
  /** At most `errorStringsMax` sentences. */
  readonly errors: readonly string[]
  /** Only of a 429. */
  readonly retryAfterSeconds?: number | undefined
}

/**
 * What a shard does for the main thread, in order of arrival: the asynchronous seam of ingest. The
 * embedded shard carries a task out on its AppendStore between two commits. A shard of a cluster
 * answers the same tasks by promises, without an AppendStore: it may store several batches at a
 * time, and has no unflushed samples and no index to flush.
 */
export type ShardTask =
  | IngestTask
  | ({ readonly kind: "maintain" } & MaintenanceOptions)
  | {
      readonly kind: "unflushedSamples"
      readonly series: Int32Array
      readonly span: Span
      readonly onlyNewest: boolean
    }
  | { readonly kind: "flushIndex" }
  | { readonly kind: "getDocument"; readonly document: string; readonly id: string }
  | { readonly kind: "listDocuments"; readonly document: string; readonly range: IdRange }
  | { readonly kind: "countDocuments"; readonly prefix: string }
  | { readonly kind: "putDocuments"; readonly changes: readonly DocumentChange[] }
  /** Replaces the analytic configurations of a tenant: ids and JSON, in order of id. */
  | {
      readonly kind: "configure"
      readonly tenant: TenantIndex
      readonly configurations: readonly StoredDocument[]
    }
  | { readonly kind: "buildSettings" }
  | { readonly kind: "edit"; readonly edit: CatalogueEdit }
  /** Those that are possible, in one commit. */
  | { readonly kind: "editAll"; readonly edits: readonly CatalogueEdit[] }
  | { readonly kind: "commitCycle"; readonly batch: CycleBatch }
  | { readonly kind: "reopenCycles"; readonly fromCycle: number }
  | { readonly kind: "trustsClock"; readonly nowMs: number }
  /** The elements that are known, ascending. */
  | { readonly kind: "knownElements" }
  | { readonly kind: "figures" }
  | { readonly kind: "close" }

/** The result of `editAll`. */
export interface EditsAnswer {
  /** Of each edit: why it was not made; null if it was. */
  readonly problems: readonly (string | null)[]
  /** As `IngestAnswer.hasUnflushedSeries`. */
  readonly hasUnflushedSeries: boolean
}

/** Limits of a shard that may change while it runs. */
export interface ShardLimits {
  readonly cardinality: CardinalityLimits
  /** Free space below which no samples are taken. */
  readonly diskFloorBytes: number
  /** Of a tenant in the store; 0 is no limit. */
  readonly diskQuotaBytes: number
}

/** A task for the thread of an embedded shard, not for the shard. */
export interface LimitsTask {
  readonly kind: "setLimits"
  readonly limits: ShardLimits
}

export type { UnflushedSamples, StoreFigures }
