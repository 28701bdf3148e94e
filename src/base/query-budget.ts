/**
 * Budget: how a question that has to end is told so, in whatever thread and loop it is worked on.
 * The thread that admitted it owns the clock and sets a flag in shared memory when the time is over
 * or the client has left; the loops that do the work look at that flag. So no worker needs a clock,
 * and a look costs some nanoseconds. A thread has one budget, for one question after the other.
 */

import { ServiceError } from "./errors.ts"
import { testedCharactersMax } from "./limits.ts"

/** How many cheap steps, each of some nanoseconds, are done between two looks at the flag. */
const stepsPerCheck = 256

/** The flag of a question: 32 bits that all threads share; anything but 0 means "end". */
export type StopFlag = Int32Array

export function createStopFlag(): StopFlag {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** Has every thread that works on the question end at its next look. */
export function requestStop(flag: StopFlag): void {
  Atomics.store(flag, 0, 1)
}

export class QueryBudget {
  private flag: StopFlag | null = null
  private steps = 0
  private characters = 0

  /** Begins the next question of the thread; null: one that nothing ends. */
  begin(flag: StopFlag | null): void {
    this.flag = flag
    this.characters = 0
  }

  /** Looks at the flag. Throws `cancelled` if it is set. For work of a microsecond and more. */
  check(): void {
    if (this.flag === null || Atomics.load(this.flag, 0) === 0) return
    throw new ServiceError("cancelled", "The question was ended before it was answered")
  }

  /** As `check`, at every 256th call. For loops over elements, metrics and names. */
  step(): void {
    if (++this.steps % stepsPerCheck === 0) this.check()
  }

  /**
   * Counts the characters of a text on which a regular expression is about to be tried, and looks
   * at the flag. Throws `invalid` if the question has tried too many, `cancelled` as `check` does.
   */
  chargeText(characters: number): void {
    this.check()
    this.characters += characters
    if (this.characters <= testedCharactersMax) return
    throw new ServiceError(
      "invalid",
      `body: its expressions would be tried on more than ${testedCharactersMax} characters of ` +
        `names and values: use fewer expressions, or name elements or metrics exactly beside them`,
    )
  }
}
