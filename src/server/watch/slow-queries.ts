/** The log of slow queries: a line each, with what took the time. */

import type { Logger } from "../../base/log.ts"
import type { QueryTrace } from "./query-trace.ts"

export class SlowQueries {
  private readonly log: Pick<Logger, "warn">
  private slowMs: number

  /** `slowMs`: a query of at least this time, waiting included, is slow. */
  constructor(log: Pick<Logger, "warn">, slowMs: number) {
    this.log = log
    this.slowMs = slowMs
  }

  setSlowMs(slowMs: number): void {
    this.slowMs = slowMs
  }

  /** Logs a query that has ended, if it was slow, as soon as all threads have left it. */
  note(trace: QueryTrace): void {
    if (trace.durationMs < this.slowMs) return
    void trace.settled().then(() => this.log.warn(trace.fields(), "slow query"))
  }
}
