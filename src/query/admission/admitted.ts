/** What admission knows of one question, from its admission to its end. */

import type { StopFlag } from "../../base/query-budget.ts"
import type { ServiceError } from "../../base/errors.ts"
import type { Party } from "./turns.ts"

/** What a question may use while it has its turn. */
export interface Turn {
  /** To be handed to every thread that works on the question. */
  readonly stop: StopFlag
  /** Whether it runs on the one thread that is there if long questions have all others. */
  readonly isExtra: boolean
}

/** A turn that goes on. */
export interface Running extends Turn {
  readonly startedMs: number
  /** From when on it is long. */
  readonly longFromMs: number
  /** Up to when its use was charged. */
  chargedMs: number
  /** Its flag is set: it ends soon. */
  isEnding: boolean
}

/** One question from its admission to its end. */
export class Question implements Party {
  readonly tenant: number
  readonly user: string
  readonly isLookUp: boolean
  readonly admittedMs: number
  /** Ran for long once: it waits for a thread for long questions. */
  isLong = false
  /** Nothing but its turn is left to wait for. */
  isReady = false
  /** Answered, or given up. */
  isOver = false
  running: Running | null = null
  begin: (running: Running) => void = () => {}
  giveUp: (reason: ServiceError) => void = () => {}
  /** Rejects when the answer is given up. */
  readonly givenUp: Promise<never>

  constructor({ tenant, user, isLookUp = false }: Party, admittedMs: number) {
    this.isLookUp = isLookUp
    this.tenant = tenant
    this.user = user
    this.admittedMs = admittedMs
    this.givenUp = new Promise((_, reject) => (this.giveUp = reject))
    // Told to whoever asked; a question that waits for nothing more has nobody who listens.
    this.givenUp.catch(() => {})
  }
}

/** How many there are of each. */
export class Counts<Key> {
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
