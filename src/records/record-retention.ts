/**
 * Retention of records: now and then removes events, closed incidents, deleted policies and entries
 * of the security log that are older than they are kept. A page at a time, so that nobody waits for
 * it.
 */

import { eventRetentionMs } from "../base/limits.ts"
import type { Clock } from "../base/clock.ts"
import type { Audit } from "./core/audit.ts"
import type { Records } from "./records.ts"

export interface RecordRetentionOptions {
  readonly records: Pick<Records, "events" | "incidents" | "policies">
  readonly audit: Pick<Audit, "removeExpired">
  /** Indexes of all tenants, as of now. */
  readonly tenants: () => readonly number[]
  readonly clock: Clock
  /** Calls back after a while; returns a way to cancel. */
  readonly delay: (callback: () => void, ms: number) => () => void
  readonly onError: (error: unknown) => void
}

/** What goes is at most this much older than it should be. */
const pauseMs = 3_600_000
/** The start of a server has more urgent things to do. */
const firstPauseMs = 60_000

export class RecordRetention {
  private readonly options: RecordRetentionOptions
  private cancelPause: () => void = () => {}
  private running: Promise<void> = Promise.resolve()
  private stopped = false

  constructor(options: RecordRetentionOptions) {
    this.options = options
  }

  start(): void {
    this.pause(firstPauseMs)
  }

  /** Removes all that is due. */
  async sweep(): Promise<void> {
    const { records, audit, tenants, clock } = this.options
    const oldestMs = clock.nowMs() - eventRetentionMs
    for (const tenant of tenants()) {
      if (this.stopped) return
      await records.events.removeBefore(tenant, oldestMs)
      await records.incidents.removeBefore(tenant, oldestMs)
      await records.policies.purgeDeleted(tenant, oldestMs)
      await audit.removeExpired(tenant)
    }
  }

  /** Ends after the tenant that is being swept now. */
  async stop(): Promise<void> {
    this.stopped = true
    this.cancelPause()
    await this.running
  }

  private pause(ms: number): void {
    if (this.stopped) return
    this.cancelPause = this.options.delay(() => {
      this.running = this.sweep()
        .catch(this.options.onError)
        .finally(() => this.pause(pauseMs))
    }, ms)
  }
}
