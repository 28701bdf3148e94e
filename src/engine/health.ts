/**
 * Health: the reasons why the server is not ready, as sentences for `GET /health/ready`.
 *
 * The figures of the shard are polled once a second and the latest ones are kept. So a request
 * costs nothing, which matters because the endpoint needs no credentials. A reason is reported for
 * as long as its cause lasts.
 */

import { formatInstant } from "../base/iso8601.ts"
import { jobFailuresMax } from "../base/limits.ts"
import { cycleMs } from "../model/resolution.ts"
import type { ShardFigures } from "./shard.ts"

interface HealthOptions {
  readonly figures: () => Promise<Pick<ShardFigures, "refusals" | "failingJob">>
  /** Epoch milliseconds. */
  readonly nowMs: () => number
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** Every cycle that ended by this instant is closed. */
  readonly closedUpToMs: () => number
  readonly cycleGraceMs: number
  /** Milliseconds by which the oldest query exceeds its time budget; 0 if none does. */
  readonly queryOverdueMs: () => number
  /** Why requests are refused for want of memory; null if they are not. */
  readonly memoryReason: () => string | null
  /** Calls back periodically; returns a function that ends it. */
  readonly repeat: (callback: () => void, everyMs: number) => () => void
}

/** A poll takes 20 µs of the shard's thread. */
const pollEveryMs = 1000
/** A healthy shard answers within one step of background work, 60 ms at most. */
const shardSilentMsMax = 10_000
/** Cycles that may be late: one being closed, and one that ended during that time. */
const lateCyclesMax = 2
/** Allowed time between the end of a query's budget and the query's own check of it. */
const queryOverdueMsMax = 5_000

export class Health {
  private readonly options: HealthOptions
  private shardReasons: readonly string[] = []
  private answeredMs: number
  private isPolling = false
  private isStopping = false
  private endRepeating: () => void = () => {}

  constructor(options: HealthOptions) {
    this.options = options
    this.answeredMs = options.elapsedMs()
  }

  start(): void {
    this.answeredMs = this.options.elapsedMs()
    this.endRepeating = this.options.repeat(() => void this.poll(), pollEveryMs)
  }

  /** Reports from now on that the server is stopping. */
  markStopping(): void {
    this.isStopping = true
  }

  stop(): void {
    this.endRepeating()
  }

  /** Returns the reasons why the server is not ready; empty if it is. */
  reasons(): string[] {
    if (this.isStopping) return ["The server is stopping"]
    return [
      ...this.silence(),
      ...this.shardReasons,
      ...this.lateCycles(),
      ...this.futureCycles(),
      ...this.overdue(),
      ...this.memory(),
    ]
  }

  /** Asks the shard for its figures; does nothing while an earlier request is unanswered. */
  async poll(): Promise<void> {
    if (this.isPolling) return
    this.isPolling = true
    try {
      this.shardReasons = reasonsOf(await this.options.figures())
      this.answeredMs = this.options.elapsedMs()
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      this.shardReasons = [`The thread that stores samples failed: ${problem}`]
      this.answeredMs = this.options.elapsedMs()
    } finally {
      this.isPolling = false
    }
  }

  private memory(): string[] {
    const reason = this.options.memoryReason()
    return reason === null ? [] : [reason]
  }

  private silence(): string[] {
    const silentMs = this.options.elapsedMs() - this.answeredMs
    if (silentMs <= shardSilentMsMax) return []
    return [`The thread that stores samples has not answered for ${seconds(silentMs)} s`]
  }

  private lateCycles(): string[] {
    const { nowMs, closedUpToMs, cycleGraceMs } = this.options
    const lateMs = nowMs() - cycleGraceMs - closedUpToMs()
    if (lateMs <= (lateCyclesMax + 1) * cycleMs) return []
    const waiting = Math.floor(lateMs / cycleMs)
    const last = formatInstant(closedUpToMs())
    return [`${waiting} cycles wait to be closed: the last one that is closed ended at ${last}`]
  }

  /** The clock was set back, and the scheduler has not followed it yet. */
  private futureCycles(): string[] {
    const { nowMs, closedUpToMs } = this.options
    if (closedUpToMs() - nowMs() <= cycleMs) return []
    const last = formatInstant(closedUpToMs())
    return [`The clock was set back: the last cycle that is closed ends in the future, at ${last}`]
  }

  private overdue(): string[] {
    const overdueMs = this.options.queryOverdueMs()
    if (overdueMs <= queryOverdueMsMax) return []
    return [`A query runs ${seconds(overdueMs)} s beyond its time budget`]
  }
}

function reasonsOf({ refusals, failingJob }: Pick<ShardFigures, "refusals" | "failingJob">) {
  const reasons = [...refusals]
  if (failingJob !== null && failingJob.failures >= jobFailuresMax) {
    const { job, failures, reason } = failingJob
    reasons.push(`The background job "${job}" failed ${failures} times in a row: ${reason}`)
  }
  return reasons
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(0)
}
