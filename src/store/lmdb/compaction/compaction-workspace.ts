/**
 * Working memory of the compaction and of the closing. The job runner holds one of each: a thread
 * runs one compaction at a time, and a closing between two of its steps, so they share nothing.
 */

import { CellColumns } from "../../../rollup/cell.ts"
import { Contributions } from "../../../rollup/contribution.ts"
import { cycleBandsLength } from "../encoding/bands-record.ts"
import { createDayBands } from "../tiers/bands.ts"
import { CoarseWorkspace } from "../tiers/coarse-cells.ts"
import { dayCellsMax } from "../tiers/compacted-cells.ts"
import { createCycleCells } from "../tiers/recent.ts"

/** 7 MB of cells; what it holds stays between two steps of a compaction. */
export class CompactionWorkspace {
  /** PT5M cells of the day at slot · 288 + cycle. */
  readonly dayCells = new CellColumns(dayCellsMax)
  readonly recentCells = createCycleCells()
  readonly coarse = new CoarseWorkspace()
  readonly contributions = new Contributions()
  /** PT24H cells of the day before this compaction, and of a later day. */
  readonly before = createCycleCells()
  readonly later = createCycleCells()
  readonly cycleBands = new Float32Array(cycleBandsLength)
  private ownDayBands: Float32Array | null = null

  /** Allocated for the first day with bands. */
  get dayBands(): Float32Array {
    return (this.ownDayBands ??= createDayBands())
  }
}

/** One cycle of the block that a closing changes. */
export class ClosingWorkspace {
  readonly cells = createCycleCells()
  readonly bands = new Float32Array(cycleBandsLength)
}
