/** What admission knows of one query, from its admission to its end. */

import type { StopFlag } from "../../base/query-budget.ts"
import type { ServiceError } from "../../base/errors.ts"
import type { QueryOwner } from "./fair-queue.ts"

/** What a query may use while it has its turn. */
export interface Turn {
  /** To be handed to every thread that works on the query. */
  readonly stop: StopFlag
  /** Whether it runs on the one thread that is there if long queries have all others. */
  readonly isExtra: boolean
}

/** A turn that goes on. */
export interface RunningTurn extends Turn {
  readonly startedMs: number
  /** From when on it is long. */
  readonly longFromMs: number
  /** Up to when its use was charged. */
  chargedMs: number
  /** Its flag is set: it ends soon. */
  isEnding: boolean
}

/** One query from its admission to its end. */
export class AdmittedQuery implements QueryOwner {
  readonly tenant: number
  readonly user: string
  readonly isLookUp: boolean
  readonly admittedMs: number
  /** Ran for long once: it waits for a thread for long queries. */
  wasLong = false
  /** Nothing but its turn is left to wait for. */
  isReady = false
  /** Answered, or given up. */
  isSettled = false
  running: RunningTurn | null = null
  start: (running: RunningTurn) => void = () => {}
  abandon: (reason: ServiceError) => void = () => {}
  /** Rejects when the answer is given up. */
  readonly abandoned: Promise<never>

  constructor({ tenant, user, isLookUp = false }: QueryOwner, admittedMs: number) {
    this.isLookUp = isLookUp
    this.tenant = tenant
    this.user = user
    this.admittedMs = admittedMs
    this.abandoned = new Promise((_, reject) => (this.abandon = reject))
    // Told to whoever asked; a query that waits for nothing more has nobody who listens.
    this.abandoned.catch(() => {})
  }
}

/** How many there are of each. */
export class KeyedCounts<Key> {
  private readonly counts = new Map<Key, number>()

  of(key: Key): number {
    return this.counts.get(key) ?? 0
  }

  add(key: Key, difference: number): void {
    const count = this.of(key) + difference
    if (count === 0) this.counts.delete(key)
    else this.counts.set(key, count)
  }
}
