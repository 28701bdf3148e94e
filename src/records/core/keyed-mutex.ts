/**
 * Turns: work under one name is done one at a time, in order of asking, so that of two changes of
 * one record neither is lost. Work under different names does not wait for each other.
 */

import { ServiceError } from "../../base/errors.ts"

/** A write takes some milliseconds: more would wait longer than their caller does. */
const waitersMax = 1_000

export class KeyedMutex {
  private readonly queues = new Map<string, { last: Promise<void>; count: number }>()

  /** Resolves with what `work` does; throws `overloaded` where too many wait under that name. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.queues.get(name) ?? { last: Promise.resolve(), count: 0 }
    if (line.count >= waitersMax) {
      throw new ServiceError("overloaded", "Too many changes of one record at once")
    }
    this.queues.set(name, line)
    line.count++
    const done = line.last.then(work)
    // Whoever comes next waits for the end of this, not for its success.
    line.last = done.then(nothing, nothing)
    try {
      return await done
    } finally {
      line.count--
      if (line.count === 0) this.queues.delete(name)
    }
  }

  /** The same under several names at once; taken in one order, so that nobody waits in a ring. */
  runAll<Result>(names: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const inOrder = [...new Set(names)].sort().reverse()
    return inOrder.reduce((inner, name) => () => this.run(name, inner), work)()
  }
}

function nothing(): void {}
