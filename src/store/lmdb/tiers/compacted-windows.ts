/** Reads compacted raw samples, one window of one block at a time, and caches the last one. */

import { assert } from "../../../base/assert.ts"
import { cycleMs } from "../../../model/resolution.ts"
import { decodeCompactedRaw } from "../encoding/raw-codec.ts"
import { SampleRun } from "../encoding/sample-run.ts"
import { openRecord } from "../disk/record.ts"
import { CompactedSynthetic } from "./compacted-synthetic.ts"
import {
  cyclesPerWindow,
  periodKey,
  windowMs,
  type Tables,
  type BlockIndex,
  type SlotIndex,
} from "../disk/tables.ts"

export class CompactedWindows {
  private readonly tables: Tables
  private readonly raw = new SampleRun()
  private window = -1
  private block = -1
  private found = false
  /** Actual kinds and synthetic cells of the same days. */
  readonly cells: CompactedSynthetic

  constructor(tables: Tables) {
    this.tables = tables
    this.cells = new CompactedSynthetic(tables)
  }

  /** True if the block has compacted raw samples or cells that may include the cycle. */
  has(cycle: number, block: BlockIndex): boolean {
    return this.cells.has(cycle, block) || this.read(windowOf(cycle), block) !== null
  }

  /** All slots of a window, or null if it has no compacted samples. Valid until the next call. */
  read(window: number, block: BlockIndex): SampleRun | null {
    if (window !== this.window || block !== this.block) this.load(window, block)
    return this.found ? this.raw : null
  }

  private cycleOfSlot(
    cycle: number,
    block: BlockIndex,
    slot: SlotIndex,
  ): { columns: SampleRun; from: number; to: number } | null {
    const raw = this.read(windowOf(cycle), block)
    return raw === null ? null : rangeOfCycle(raw, slot, cycle)
  }

  /**
   * The samples of a slot in a cycle, or null if there are none. `recent` holds the recent ones of
   * the cycle, which replace the compacted ones.
   */
  samplesOf(
    recent: SampleRun,
    { cycle, block }: { readonly cycle: number; readonly block: BlockIndex },
    slot: SlotIndex,
  ): { columns: SampleRun; from: number; to: number } | null {
    const [from, to] = [recent.slotFrom(slot), recent.slotTo(slot)]
    return from < to ? { columns: recent, from, to } : this.cycleOfSlot(cycle, block, slot)
  }

  /** Drops the cache after the store has changed. */
  invalidate(): void {
    this.window = -1
    this.cells.invalidate()
  }

  /** Releases exceptionally large memory. */
  shrink(): void {
    this.invalidate()
    this.raw.shrink()
  }

  private load(window: number, block: BlockIndex): void {
    this.window = window
    this.block = block
    const key = periodKey(window, block)
    const bytes = this.tables.raw.view(key)
    this.found = bytes !== undefined
    if (bytes === undefined) return
    const { raw } = this
    decodeCompactedRaw(openRecord(key, bytes), raw, window * windowMs)
    const firstMs = raw.count > 0 ? raw.timesMs[0]! : window * windowMs
    const lastMs = raw.count > 0 ? raw.timesMs[raw.count - 1]! : window * windowMs
    assert(Math.floor(firstMs / windowMs) === window, "Expected samples of the window")
    assert(Math.floor(lastMs / windowMs) === window, "Expected samples of the window")
  }
}

function windowOf(cycle: number): number {
  return Math.floor(cycle / cyclesPerWindow)
}

/** Range of the samples of a slot and cycle in their window; null if there are none. */
export function rangeOfCycle(
  raw: SampleRun,
  slot: SlotIndex,
  cycle: number,
): { columns: SampleRun; from: number; to: number } | null {
  if (slot >= raw.slotCount) return null
  const end = raw.slotStart[slot + 1]!
  const from = raw.lowerBound(cycle * cycleMs, raw.slotStart[slot]!, end)
  const to = raw.lowerBound((cycle + 1) * cycleMs, from, end)
  return from === to ? null : { columns: raw, from, to }
}
