/** The cells of a block's day that replace compacted ones, cycle by cycle. */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import { copyCells, isCounterCell, type CellColumns } from "../../../rollup/cell.ts"
import { createCycleCells } from "./recent.ts"

/** Working memory of a reader: 25 kB per cycle that was ever needed. */
export class UncompactedDay {
  /** Cells by slot, by cycle of the day; null for a cycle without any. */
  readonly cycles = Array.from({ length: cyclesPerDay }, (): CellColumns | null => null)
  isEmpty = true
  private readonly pool: CellColumns[] = []
  private used = 0

  reset(): void {
    this.cycles.fill(null)
    this.isEmpty = true
    this.used = 0
  }

  /** Buffer for the cells of the next cycle; `add` assigns it to a cycle. */
  get nextCells(): CellColumns {
    return (this.pool[this.used] ??= createCycleCells())
  }

  /** Assigns the content of `nextCells` to this cycle of the day. */
  add(cycle: number): void {
    assert(this.cycles[cycle] === null, "Expected a cycle of the day once")
    this.cycles[cycle] = this.nextCells
    this.isEmpty = false
    this.used++
  }

  addCopy(cycle: number, cells: CellColumns): void {
    copyCells(cells, 0, this.nextCells, 0, seriesPerBlock)
    this.add(cycle)
  }

  /** True if one of the slots has a counter in some cycle. */
  hasCounters(slots: readonly number[]): boolean {
    for (let i = 0; i < this.used; i++) {
      const cells = this.pool[i]!
      for (const slot of slots) if (isCounterCell(cells, slot)) return true
    }
    return false
  }
}
