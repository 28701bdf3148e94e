/** Working memory of one reader: its views, one after the other, and the queries on them. */

import { seriesPerBlock } from "../../../base/limits.ts"
import { QueryBudget } from "../../../base/query-budget.ts"
import { CellColumns } from "../../../rollup/cell.ts"
import { CycleMerger } from "../merge/cycle-merge.ts"
import { WindowMerger } from "../merge/window-merge.ts"
import type { SeriesLocator } from "../metadata/series-locator.ts"
import { CoarseWorkspace, hoursPerDay } from "../tiers/coarse-cells.ts"
import { dayCellsMax } from "../tiers/compacted-cells.ts"
import { CompactedDay } from "../tiers/compacted-day.ts"
import { CompactedWindows } from "../tiers/compacted-windows.ts"
import { PreviousCounterValues } from "../tiers/previous-counter-value.ts"
import { createCycleCells } from "../tiers/recent.ts"
import { UncompactedDay } from "../tiers/uncompacted-day.ts"
import { toServiceError } from "../disk/corruption-errors.ts"
import type { Tables } from "../disk/tables.ts"
import { RawStatisticsWorkspace } from "./raw-statistics-workspace.ts"

export class ReaderWorkspace {
  readonly tables: Tables
  readonly compactedWindows: CompactedWindows
  readonly windowMerger: WindowMerger
  readonly cycleMerger: CycleMerger
  readonly recentCells = createCycleCells()
  readonly previousValues: PreviousCounterValues
  /** Checked for each day of a block, which takes up to 3 ms, and for each slot. */
  readonly budget: QueryBudget
  /** Hours and days that are merged from cycles. */
  readonly coarse = new CoarseWorkspace()
  /** Hours or days that are read from their record. */
  readonly coarseCells = new CellColumns(seriesPerBlock * hoursPerDay)
  readonly compactedDay = new CompactedDay()
  readonly uncompactedDay = new UncompactedDay()
  private ownDayCells: CellColumns | null = null
  private ownRawStatistics: RawStatisticsWorkspace | null = null

  /** `locator` is called for each use, because the locations may be replaced. */
  constructor(
    tables: Tables,
    locator: () => SeriesLocator,
    budget: QueryBudget = new QueryBudget(),
  ) {
    this.tables = tables
    this.budget = budget
    this.previousValues = new PreviousCounterValues(tables)
    this.compactedWindows = new CompactedWindows(tables)
    this.windowMerger = new WindowMerger(tables, this.compactedWindows)
    this.cycleMerger = new CycleMerger(tables, this.compactedWindows, {
      members: (block) => locator().blockSeries(block),
      ofSeries: (series) => locator().actualKind(series),
    })
  }

  /** PT5M cells at slot · 288 + cycle of the day: 7 MB, allocated at the first use. */
  get dayCells(): CellColumns {
    return (this.ownDayCells ??= new CellColumns(dayCellsMax))
  }

  /** Allocated for the first query of raw samples. */
  get rawStatistics(): RawStatisticsWorkspace {
    return (this.ownRawStatistics ??= new RawStatisticsWorkspace())
  }

  /**
   * Runs `work` on a snapshot of its own; corruption becomes `storage`. The snapshot is released
   * immediately: lmdb releases it in a timer, which does not run while a thread waits for its next
   * task, and no page freed by the writer can be reused until then (a store of 77 MB grew to 285).
   */
  onSnapshot<T>(work: () => T): T {
    this.compactedWindows.invalidate()
    try {
      return work()
    } catch (cause) {
      throw toServiceError(cause)
    } finally {
      this.tables.root.resetReadTxn()
    }
  }
}
