/**
 * Query budget: cancels a query in any thread and loop that works on it. The thread that admitted
 * the query owns the clock and sets a flag in shared memory when the time is over or the client has
 * disconnected; the working loops check that flag. So no worker needs a clock, and a check costs
 * some nanoseconds. A thread has one budget, which it uses for one query after the other.
 */

import { ServiceError } from "./errors.ts"
import { testedCharactersMax } from "./limits/queries.ts"

/** Cheap steps, of some nanoseconds each, between two checks of the flag. */
const stepsPerCheck = 256

/** The flag of a query: 32 bits that all threads share; any value but 0 means "stop". */
export type StopFlag = Int32Array

export function createStopFlag(): StopFlag {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** Makes every thread that works on the query stop at its next check. */
export function requestStop(flag: StopFlag): void {
  Atomics.store(flag, 0, 1)
}

export class QueryBudget {
  private flag: StopFlag | null = null
  private steps = 0
  private characters = 0

  /** Starts the next query of the thread; null if it cannot be cancelled. */
  begin(flag: StopFlag | null): void {
    this.flag = flag
    this.characters = 0
  }

  /** Throws `cancelled` if the flag is set. For work of a microsecond or more. */
  check(): void {
    if (this.flag === null || Atomics.load(this.flag, 0) === 0) return
    throw new ServiceError("cancelled", "The query was cancelled before it was answered")
  }

  /** As `check`, at every 256th call. For loops over elements, metrics and names. */
  step(): void {
    if (++this.steps % stepsPerCheck === 0) this.check()
  }

  /**
   * Counts the characters of a text before a regular expression is tried on it. Throws `invalid` if
   * the query has tried too many, and `cancelled` as `check` does.
   */
  chargeText(characters: number): void {
    this.check()
    this.characters += characters
    if (this.characters <= testedCharactersMax) return
    throw new ServiceError(
      "invalid",
      `body: its expressions would be tried on more than ${testedCharactersMax} characters of ` +
        `names and values: use fewer expressions, and name elements or metrics exactly as well`,
    )
  }
}
