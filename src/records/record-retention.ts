/**
 * Retention of records: an hourly sweep removes events, closed incidents, deleted policies, checks
 * that are not posted any more, and entries of the security log, each after its retention. It works
 * page by page, so ingest never waits for more than one page.
 */

import { PeriodicTask, type Delay } from "../base/async.ts"
import { trustedClock, type Clock, type ClockTrust } from "../base/clock.ts"
import { checkRetentionMs, eventRetentionMs } from "../base/limits.ts"
import type { Audit } from "./core/audit.ts"
import type { Records } from "./records.ts"

interface RecordRetentionOptions {
  readonly records: Pick<Records, "events" | "incidents" | "policies"> &
    Partial<Pick<Records, "checkMonitor">>
  readonly audit: Pick<Audit, "removeExpired">
  /** Indexes of all tenants at the time of the call. */
  readonly tenants: () => readonly number[]
  readonly clock: Clock
  /** Always true if absent, in tests. */
  readonly trustsClock?: ClockTrust
  readonly delay: Delay
  readonly onError: (error: unknown) => void
}

/** Records are removed at most this much later than they expire. */
const pauseMs = 3_600_000
/** Leaves the first minute of a server to more urgent work. */
const firstPauseMs = 60_000

export class RecordRetention {
  private readonly options: RecordRetentionOptions
  private readonly task: PeriodicTask
  private isStopped = false

  constructor(options: RecordRetentionOptions) {
    this.options = options
    this.task = new PeriodicTask({
      delay: options.delay,
      run: async () => {
        await this.sweep()
        return pauseMs
      },
      onError: (error) => {
        options.onError(error)
        return pauseMs
      },
    })
  }

  start(): void {
    this.task.start(firstPauseMs)
  }

  /** Removes all expired records, if the clock can be trusted with it. */
  async sweep(): Promise<void> {
    const { records, audit, tenants, clock, trustsClock = trustedClock } = this.options
    if (!(await trustsClock())) return
    const nowMs = clock.nowMs()
    const oldestMs = nowMs - eventRetentionMs
    for (const tenant of tenants()) {
      if (this.isStopped) return
      await records.events.removeBefore(tenant, oldestMs)
      await records.incidents.removeBefore(tenant, oldestMs)
      await records.policies.purgeDeleted(tenant, oldestMs)
      await records.checkMonitor?.remove(tenant, ({ expiresMs }) => {
        return expiresMs < nowMs - checkRetentionMs
      })
      await audit.removeExpired(tenant)
    }
  }

  /** Resolves when the sweep of the current tenant has ended; no other one is swept. */
  async stop(): Promise<void> {
    this.isStopped = true
    await this.task.stop()
  }
}
