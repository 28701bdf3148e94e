/**
 * The cycles before a closing one without unwatched ones, during which the server was off or
 * suspended or its clock was set. They are passed over: nothing follows from what is missing there.
 */

import { spanOfCycle, type CycleSpan } from "../model/closed-cycles.ts"

export class WatchedCycles {
  /** Whether the closing cycle itself is one. */
  readonly isUnwatched: boolean
  private readonly unwatched: readonly CycleSpan[]
  /** The cycle that is as many watched ones before as its index says. */
  private readonly found: number[]

  constructor(cycle: number, unwatched: readonly CycleSpan[]) {
    this.unwatched = unwatched
    this.isUnwatched = spanOfCycle(unwatched, cycle) !== undefined
    this.found = [cycle]
  }

  /** Cycles, unwatched ones included, from the one that is `back` watched ones before. */
  distance(back: number): number {
    const { found, unwatched } = this
    for (let cycle = found.at(-1)!; found.length <= back; found.push(cycle)) {
      cycle--
      for (let span; (span = spanOfCycle(unwatched, cycle)) !== undefined;) cycle = span.from - 1
    }
    return found[0]! - found[back]!
  }

  /** The number of unwatched cycles after this one and before the closing one. */
  unwatchedAfter(cycle: number): number {
    const end = this.found[0]!
    return this.unwatched.reduce((sum, { from, to }) => {
      return sum + Math.max(0, Math.min(to, end) - Math.max(from, cycle + 1))
    }, 0)
  }
}
