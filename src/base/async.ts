/** Coordination of asynchronous work on one thread: bounded, exclusive per key, periodic. */

import { assert } from "./assert.ts"

/** How many callers may wait, and the error for one more. */
export interface WaitLimit {
  readonly waitersMax: number
  readonly refusal: () => Error
}

const unlimited: WaitLimit = { waitersMax: Infinity, refusal: () => new Error("Too many waiters") }

/**
 * Runs at most `permits` calls at a time; further calls wait, first come, first served.
 *
 * @example
 * const threads = new Semaphore(1)
 * const order: string[] = []
 * await Promise.all([
 *   threads.run(async () => void order.push("first")),
 *   threads.run(async () => void order.push("second")),
 * ])
 * assert.deepEqual(order, ["first", "second"])
 */
export class Semaphore {
  private free: number
  private readonly limit: WaitLimit
  private readonly waiters: (() => void)[] = []

  constructor(permits: number, limit: WaitLimit = unlimited) {
    assert(Number.isInteger(permits) && permits >= 1, `Expected whole permits, got ${permits}`)
    this.free = permits
    this.limit = limit
  }

  /** Calls `work` as soon as a permit is free, and settles as it does. Rejects beyond the limit. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--
    else await this.wait()
    try {
      return await work()
    } finally {
      // The permit passes to the next waiter directly: a call that comes now cannot overtake it.
      const next = this.waiters.shift()
      if (next === undefined) this.free++
      else next()
    }
  }

  private wait(): Promise<void> {
    if (this.waiters.length >= this.limit.waitersMax) throw this.limit.refusal()
    return new Promise((resolve) => this.waiters.push(resolve))
  }
}

interface KeyQueue {
  /** Settles, and never rejects, when the newest call has settled. */
  last: Promise<void>
  /** Unsettled calls: the running one and those that wait. */
  length: number
}

/**
 * Runs calls with the same key one after the other, in call order; keys do not wait for others.
 *
 * @example
 * const accounts = new KeyedMutex()
 * let balance = 0
 * const deposit = () => accounts.run("ada", async () => {
 *   const before = balance
 *   await Promise.resolve()
 *   balance = before + 10
 * })
 * await Promise.all([deposit(), deposit()])
 * assert.equal(balance, 20)
 */
export class KeyedMutex<Key extends string | number = string> {
  private readonly queues = new Map<Key, KeyQueue>()
  private readonly limit: WaitLimit

  constructor(limit: WaitLimit = unlimited) {
    this.limit = limit
  }

  /**
   * Calls `work` when no earlier call with this key is unsettled, and settles as it does. Rejects
   * beyond the limit.
   */
  async run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const queue = this.queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    // One of them is running, the others wait.
    if (queue.length > this.limit.waitersMax) throw this.limit.refusal()
    this.queues.set(key, queue)
    queue.length++
    const done = queue.last.then(work)
    // The next call starts after this one settles, whether it succeeded or failed.
    queue.last = done.then(ignore, ignore)
    try {
      return await done
    } finally {
      if (--queue.length === 0) this.queues.delete(key)
    }
  }

  /** The same with several keys held together, taken in sorted order so that no deadlock arises. */
  runAll<Result>(keys: readonly Key[], work: () => Promise<Result>): Promise<Result> {
    const outermostFirst = [...new Set(keys)].sort()
    return outermostFirst.reduceRight((inner, key) => () => this.run(key, inner), work)()
  }
}

/**
 * Calls back once after `ms` milliseconds. Returns a function that cancels the call, and does
 * nothing after it.
 */
export type Delay = (callback: () => void, ms: number) => () => void

/** Resolves after `ms` milliseconds. */
export function pauseFor(delay: Delay, ms: number): Promise<void> {
  return new Promise((resolve) => void delay(resolve, ms))
}

interface PeriodicTaskOptions {
  readonly delay: Delay
  /**
   * One step. Resolves with the milliseconds until the next step; 0 runs it directly, so a step
   * that returns 0 must have waited for something itself.
   */
  readonly run: () => Promise<number>
  /** Called if a step rejects. Returns the milliseconds until the next one; must not throw. */
  readonly onError: (error: unknown) => number
}

/**
 * Runs steps one after the other, with a pause between two, until it is stopped.
 *
 * @example
 * let runs = 0
 * const task = new PeriodicTask({
 *   // Pauses end immediately here; a server passes a delay that uses setTimeout.
 *   delay: (callback) => (queueMicrotask(callback), () => {}),
 *   run: async () => {
 *     if (++runs === 3) void task.stop()
 *     return 5_000
 *   },
 *   onError: () => 60_000,
 * })
 * task.start()
 * await new Promise((resolve) => setImmediate(resolve))
 * assert.equal(runs, 3)
 */
export class PeriodicTask {
  private readonly options: PeriodicTaskOptions
  private running: Promise<void> | null = null
  private isStopped = false
  private isWoken = false
  private endPause: () => void = ignore

  constructor(options: PeriodicTaskOptions) {
    this.options = options
  }

  /** Runs the first step after `firstPauseMs`; does nothing if the task was started before. */
  start(firstPauseMs = 0): void {
    this.running ??= this.loop(firstPauseMs)
  }

  /** Runs the next step now, or directly after the running one. */
  wake(): void {
    this.isWoken = true
    this.endPause()
  }

  /** Starts no further step, and resolves when the running one has settled. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.endPause()
    await this.running
  }

  private async loop(firstPauseMs: number): Promise<void> {
    await this.pause(firstPauseMs)
    while (!this.isStopped) await this.pause(await this.step())
  }

  private async step(): Promise<number> {
    this.isWoken = false
    try {
      return await this.options.run()
    } catch (error) {
      return this.options.onError(error)
    }
  }

  private async pause(ms: number): Promise<void> {
    if (ms <= 0 || this.isWoken || this.isStopped) return
    await new Promise<void>((resolve) => {
      const cancel = this.options.delay(resolve, ms)
      this.endPause = () => {
        cancel()
        resolve()
      }
    })
  }
}

function ignore(): void {}
