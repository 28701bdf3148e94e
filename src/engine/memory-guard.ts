/**
 * Memory guard: keeps the process under its memory limit, beyond which the system would end it.
 *
 *   used ── over `collectBytes` ─► garbage of all threads is collected
 *        ── over `shortBytes` ───► short: samples and queries are refused (503)
 *        ── under `easedBytes` ──► they are taken again
 *
 * V8 bounds the heap of each thread as if it were alone, so that their garbage together may exceed
 * the limit: a collection frees most of what is used.
 */

import { assert } from "../base/assert.ts"
import type { MemoryFigures } from "../model/memory-figures.ts"

/** Bytes of unreclaimable memory at which something happens; ascending. */
export interface MemoryThresholds {
  readonly easedBytes: number
  readonly collectBytes: number
  readonly shortBytes: number
}

export interface MemoryGuardOptions {
  readonly thresholds: MemoryThresholds
  /** Bytes in use that the system cannot reclaim. */
  readonly usedBytes: () => number
  /** Collects the garbage of all threads. */
  readonly collect: () => Promise<unknown>
  /** Called with each change. */
  readonly onShort: (isShort: boolean) => void
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** Calls back periodically; returns a function that ends it. */
  readonly repeat: (callback: () => void, everyMs: number) => () => void
  readonly warn: (fields: Readonly<Record<string, unknown>>, message: string) => void
}

/** A look takes 40 µs; the fastest allocation that was seen, of an answer, is 100 MB in this time. */
const lookEveryMs = 200
/** Pause after a collection, which stops a thread for 5 ms a MB of live objects. */
const collectPauseMsMin = 10_000
/** The pause doubles up to this while what is used is no garbage. */
const collectPauseMsMax = 320_000

export class MemoryGuard {
  private readonly options: MemoryGuardOptions
  private isShort = false
  private shortCount = 0
  private collections = 0
  private isCollecting = false
  private collectedMs = -Infinity
  private collectPauseMs = 0
  private stopLooking: () => void = () => {}

  constructor(options: MemoryGuardOptions) {
    const { easedBytes, collectBytes, shortBytes } = options.thresholds
    assert(easedBytes < shortBytes, "Expected memory to ease below where it is short")
    assert(collectBytes < shortBytes, "Expected collections before memory is short")
    this.options = options
  }

  get figures(): MemoryFigures {
    const { isShort, shortCount, collections } = this
    return { usedBytes: this.options.usedBytes(), isShort, shortCount, collections }
  }

  /** Why requests are refused, as a sentence; null if they are not. */
  get reason(): string | null {
    const { shortBytes } = this.options.thresholds
    return this.isShort ? `Memory is short: more than ${shortBytes} bytes are in use` : null
  }

  start(): void {
    this.stopLooking = this.options.repeat(() => this.look(), lookEveryMs)
  }

  stop(): void {
    this.stopLooking()
  }

  private look(): void {
    const { thresholds, usedBytes } = this.options
    const used = usedBytes()
    if (used >= thresholds.collectBytes) void this.collect()
    if (!this.isShort && used >= thresholds.shortBytes) this.change(true, used)
    else if (this.isShort && used < thresholds.easedBytes) this.change(false, used)
  }

  private change(isShort: boolean, usedBytes: number): void {
    const { onShort, warn, thresholds } = this.options
    this.isShort = isShort
    if (isShort) this.shortCount++
    onShort(isShort)
    const fields = { usedBytes, ...thresholds }
    if (isShort) warn(fields, "memory is short: samples and queries are refused")
    else warn(fields, "memory is no longer short: samples and queries are taken")
  }

  private async collect(): Promise<void> {
    const { collect, elapsedMs, usedBytes, thresholds } = this.options
    if (this.isCollecting || elapsedMs() - this.collectedMs < this.collectPauseMs) return
    this.isCollecting = true
    this.collections++
    // The failure of a thread is reported to the callers of its tasks.
    await collect().catch(() => undefined)
    this.collectedMs = elapsedMs()
    this.isCollecting = false
    const isEnough = usedBytes() < thresholds.collectBytes
    this.collectPauseMs = isEnough
      ? collectPauseMsMin
      : Math.min(collectPauseMsMax, Math.max(collectPauseMsMin, 2 * this.collectPauseMs))
  }
}
