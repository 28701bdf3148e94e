/** The state of one query in the admission queue. */

import type { StopFlag } from "../../base/query-budget.ts"
import type { ServiceError } from "../../base/errors.ts"
import type { QueryOwner } from "./fair-queue.ts"
import type { TenantIndex } from "../../model/ids.ts"

/** The right of a query to run on a query thread. */
export interface Turn {
  /** For every thread that works on the query. */
  readonly stop: StopFlag
  /** Whether it runs on the extra thread, used while long queries occupy all others. */
  readonly isExtra: boolean
}

/** A turn in progress. */
export interface RunningTurn extends Turn {
  readonly startedMs: number
  /** The query is long from this time on. */
  readonly longFromMs: number
  /** Its use is charged up to this time. */
  chargedMs: number
  /** Its stop flag is set: it ends soon. */
  isEnding: boolean
}

/** One query from its admission to its end. */
export class AdmittedQuery implements QueryOwner {
  readonly tenant: TenantIndex
  readonly user: string
  readonly isLookUp: boolean
  readonly admittedMs: number
  /** It was preempted once, so it waits for a thread for long queries. */
  wasLong = false
  /** It waits for nothing but its turn. */
  isReady = false
  /** Answered or abandoned. */
  isSettled = false
  running: RunningTurn | null = null
  start: (running: RunningTurn) => void = () => {}
  abandon: (reason: ServiceError) => void = () => {}
  /** Rejects when the answer is abandoned. */
  readonly abandoned: Promise<never>

  constructor({ tenant, user, isLookUp = false }: QueryOwner, admittedMs: number) {
    this.isLookUp = isLookUp
    this.tenant = tenant
    this.user = user
    this.admittedMs = admittedMs
    this.abandoned = new Promise((_, reject) => (this.abandon = reject))
    // `Admission.run` reports the rejection; a settled query has no listener left.
    this.abandoned.catch(() => {})
  }
}
