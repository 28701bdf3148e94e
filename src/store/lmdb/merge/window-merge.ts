/**
 * The current raw samples of one window of one block: compacted samples, replaced cycle by cycle by
 * recent ones, and those by the cycles that a reader merged with unflushed samples.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { cyclesPerWindow, type Tables, type BlockIndex, type SlotIndex } from "../disk/tables.ts"
import { SampleRun } from "../encoding/sample-run.ts"
import { readRecentRaw } from "../tiers/recent.ts"
import { rangeOfCycle, type CompactedWindows } from "../tiers/compacted-windows.ts"

export interface WindowOfBlock {
  readonly window: number
  readonly block: BlockIndex
  /** Slots of the block. */
  readonly slots: number
  /** False if the window has no recent records, which are not searched then. */
  readonly hasRecent: boolean
}

/** Raw samples of some cycles that replace the recent ones. */
export type CycleOverrides = ReadonlyMap<number, SampleRun>

const noOverrides: CycleOverrides = new Map()

export class WindowMerger {
  private readonly tables: Tables
  private readonly compacted: CompactedWindows
  private readonly recent = Array.from({ length: cyclesPerWindow }, () => new SampleRun())
  private readonly cycles: (SampleRun | null)[] = []
  /** Those of `cycles` that are present, in order. */
  private present: SampleRun[] = []
  private readonly merged = new SampleRun()

  constructor(tables: Tables, compacted: CompactedWindows) {
    this.tables = tables
    this.compacted = compacted
  }

  /** Releases exceptionally large memory. */
  shrink(): void {
    this.merged.shrink()
    for (const raw of this.recent) raw.shrink()
  }

  /** Samples of all slots, or null if there are none. Valid until the next call. */
  read(where: WindowOfBlock, overrides: CycleOverrides = noOverrides): SampleRun | null {
    const compacted = this.compacted.read(where.window, where.block)
    const first = where.window * cyclesPerWindow
    if (!this.collectCycles(where, first, overrides)) return compacted
    assert(where.slots <= seriesPerBlock, "Expected at most one slot a series")
    this.merged.reset()
    for (let slot = 0; slot < where.slots; slot++) {
      if (compacted === null) this.joinSlot(slot)
      else this.mergeSlot(compacted, slot, first)
      this.merged.endSlot()
    }
    assert(this.merged.slotCount === where.slots, "Expected every slot of the block")
    return this.merged
  }

  /** Fills `cycles`. Returns false if no cycle replaces compacted samples. */
  private collectCycles(where: WindowOfBlock, first: number, overrides: CycleOverrides): boolean {
    this.present = []
    for (let i = 0; i < cyclesPerWindow; i++) {
      const raw = this.recent[i]!
      const override = overrides.get(first + i)
      const isRecent =
        override === undefined &&
        where.hasRecent &&
        readRecentRaw(this.tables, first + i, where.block, raw)
      const cycle = override ?? (isRecent ? raw : null)
      this.cycles[i] = cycle
      if (cycle !== null) this.present.push(cycle)
    }
    return this.present.length > 0
  }

  /** Without compacted samples: one cycle after the other. */
  private joinSlot(slot: SlotIndex): void {
    for (const raw of this.present) this.merged.append(raw, raw.slotFrom(slot), raw.slotTo(slot))
  }

  private mergeSlot(compacted: SampleRun, slot: SlotIndex, firstCycle: number): void {
    for (let i = 0; i < cyclesPerWindow; i++) {
      const raw = this.cycles[i]!
      if (raw !== null && raw.slotTo(slot) > raw.slotFrom(slot)) {
        this.merged.append(raw, raw.slotFrom(slot), raw.slotTo(slot))
        continue
      }
      const range = rangeOfCycle(compacted, slot, firstCycle + i)
      if (range !== null) this.merged.append(range.columns, range.from, range.to)
    }
  }
}
