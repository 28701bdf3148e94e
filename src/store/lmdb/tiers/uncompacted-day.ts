/** The cells of a block's day that stand in place of sealed ones, cycle by cycle. */

import { seriesPerBlock } from "../../../base/limits.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import { copyCells, type CellColumns } from "../../../rollup/cell.ts"
import { isCounterCell } from "../../../rollup/counter.ts"
import { createCycleCells } from "./recent.ts"

/** Scratch memory of a reader: 22 kB a cycle that was ever needed. */
export class UncompactedDay {
  /** By cycle of the day its cells by slot; null where it has none. */
  readonly cycles = Array.from({ length: cyclesPerDay }, (): CellColumns | null => null)
  isEmpty = true
  private readonly pool: CellColumns[] = []
  private used = 0

  reset(): void {
    this.cycles.fill(null)
    this.isEmpty = true
    this.used = 0
  }

  /** Where the cells of a cycle can be read into; they count once `keep` is called. */
  get nextCells(): CellColumns {
    return (this.pool[this.used] ??= createCycleCells())
  }

  /** What stands in `room` are the cells of this cycle of the day. */
  add(cycle: number): void {
    this.cycles[cycle] = this.nextCells
    this.isEmpty = false
    this.used++
  }

  addCopy(cycle: number, cells: CellColumns): void {
    copyCells(cells, 0, this.nextCells, 0, seriesPerBlock)
    this.add(cycle)
  }

  /** True where one of the slots has a counter in some cycle. */
  hasCounters(slots: readonly number[]): boolean {
    for (let i = 0; i < this.used; i++) {
      const cells = this.pool[i]!
      for (const slot of slots) if (isCounterCell(cells, slot)) return true
    }
    return false
  }
}
