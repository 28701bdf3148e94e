/**
 * Merges arrived samples into one cycle of one block: the multiset union of stored and arrived
 * samples (dedup.ts), and the cells of the changed slots. A flush writes the result; a reader uses
 * it in place of the recent records for unflushed samples.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { cycleMs } from "../../../model/resolution.ts"
import { clearCells, isPresent, type CellColumns } from "../../../rollup/cell.ts"
import { Contributions } from "../../../rollup/contribution.ts"
import { copyIfAscending, mergeMultisets, type ArrivedRange } from "./dedup.ts"
import { rawToCell } from "../tiers/raw-to-cell.ts"
import type { ActualKinds } from "../metadata/actual-kinds.ts"
import type { IncomingSamples } from "./group-by-block.ts"
import { SampleRun } from "../encoding/sample-run.ts"
import { readRecentRaw, readRecentSlots, createCycleCells } from "../tiers/recent.ts"
import type { CompactedWindows } from "../tiers/compacted-windows.ts"
import type { Tables, SlotIndex, BlockIndex } from "../disk/tables.ts"

/** Arrived samples of one cycle and block, sorted by slot. */
export interface CycleGroup {
  readonly cycle: number
  readonly block: BlockIndex
  /** Indexes of the arrived samples; those of this cycle are `[from, to)`. */
  readonly order: Int32Array
  readonly from: number
  readonly to: number
}

/** The current actual kinds of a block's series. */
export type BlockActualKinds = Pick<ActualKinds, "members" | "ofSeries">

export class CycleMerger {
  /** Result of the last merge: all recent samples of the cycle, and the arrived ones. */
  readonly raw = new SampleRun()
  /** Result of the last merge: the cells of the slots that have samples in `raw`. */
  readonly cells: CellColumns = createCycleCells()
  /** Slots after which `cells` has none. */
  slots = 0
  /** True if the last merge found recent records of the cycle. */
  hasStored = false

  /**
   * Cycles that end by this instant are closed: their cells keep their actual kind. A reader does
   * not know the time of the flush and treats all cycles as closed.
   */
  closedMs = Infinity

  private readonly tables: Tables
  private readonly kinds: BlockActualKinds
  private members: Int32Array = new Int32Array(0)
  private readonly compacted: CompactedWindows
  private readonly stored = new SampleRun()
  private readonly nothing = new SampleRun()
  private readonly contributions = new Contributions()

  constructor(tables: Tables, compacted: CompactedWindows, kinds: BlockActualKinds) {
    this.tables = tables
    this.kinds = kinds
    this.compacted = compacted
  }

  /** Merges one cycle; the result is valid until the next call. */
  merge(samples: IncomingSamples, group: CycleGroup): void {
    const { tables, compacted } = this
    const { cycle, block } = group
    assert(group.from < group.to, "Expected arrived samples of the cycle")
    this.raw.reset()
    this.members = this.kinds.members(block)
    const hasRaw = readRecentRaw(tables, cycle, block, this.stored)
    const storedSlots = this.readCells(cycle, block)
    this.hasStored = hasRaw || storedSlots >= 0
    const isNew = !this.hasStored && !compacted.has(cycle, block)
    if (!isNew || !this.mergeNew(samples, group)) this.mergeSlots(samples, group)
    this.slots = Math.max(storedSlots, this.raw.slotCount)
    assert(this.raw.count > 0, "Expected the union to have samples")
  }

  /** Reads the recent cells in place of those of the last merge; returns their slots, or -1. */
  private readCells(cycle: number, block: BlockIndex): number {
    clearCells(this.cells, 0, this.slots)
    // An error may leave cells of any slot.
    this.slots = seriesPerBlock
    return readRecentSlots(this.tables, cycle, block, this.cells)
  }

  /** Releases exceptionally large memory. */
  shrink(): void {
    this.raw.shrink()
    this.stored.shrink()
  }

  /**
   * The common case: nothing is stored of this cycle. Returns false, and merges nothing, if the
   * samples of a slot do not ascend strictly in time.
   */
  private mergeNew(samples: IncomingSamples, { order, from, to }: CycleGroup): boolean {
    const { raw, cells, kinds, members } = this
    if (!copyIfAscending({ samples, order, from, to }, raw)) return false
    for (let slot = 0; slot < raw.slotCount; slot++) {
      const range = { from: raw.slotStart[slot]!, to: raw.slotStart[slot + 1]! }
      if (range.from === range.to) continue
      cells.actualKind[slot] = kinds.ofSeries(members[slot]!)
      rawToCell(raw, range, cells, slot, this.contributions)
    }
    return true
  }

  private mergeSlots(samples: IncomingSamples, group: CycleGroup): void {
    this.raw.reset()
    let from = group.from
    for (let slot = 0; slot < seriesPerBlock; slot++) {
      let to = from
      while (to < group.to && samples.slots[group.order[to]!] === slot) to++
      if (to > from) this.mergeSlot(group, { samples, order: group.order, from, to }, slot)
      else if (slot < this.stored.slotCount) this.copySlot(slot)
      else if (from === group.to) break
      this.raw.endSlot()
      from = to
    }
    assert(from === group.to, "Expected arrived samples sorted by slot")
  }

  private mergeSlot(group: CycleGroup, arrived: ArrivedRange, slot: SlotIndex): void {
    const from = this.raw.count
    const stored = this.compacted.samplesOf(this.stored, group, slot)
    mergeMultisets(stored ?? { columns: this.nothing, from: 0, to: 0 }, arrived, this.raw)
    this.restoreKind(group, slot)
    rawToCell(this.raw, { from, to: this.raw.count }, this.cells, slot, this.contributions)
  }

  /**
   * Restores what the samples of a cell do not determine. If the recent tier has no cell: the
   * compacted synthetic cell, or the actual kind of the compacted cell. If the cycle is not closed:
   * the current actual kind.
   */
  private restoreKind({ cycle, block }: CycleGroup, slot: SlotIndex): void {
    const { cells } = this
    const isKnown = isPresent(cells, slot) || this.compacted.cells.read(cycle, block, slot, cells)
    const isClosed = (cycle + 1) * cycleMs <= this.closedMs
    if (!isKnown || !isClosed) cells.actualKind[slot] = this.kinds.ofSeries(this.members[slot]!)
  }

  private copySlot(slot: SlotIndex): void {
    const { stored } = this
    this.raw.append(stored, stored.slotStart[slot]!, stored.slotStart[slot + 1]!)
  }
}
