/** Working memory of the statistics of raw samples (raw-statistics.ts). */

import { seriesPerBlock } from "../../../base/limits.ts"
import { MergedQuantiles } from "../../../digest/merged-quantiles.ts"
import { CellColumns } from "../../../rollup/cell.ts"
import { Contributions } from "../../../rollup/contribution.ts"
import { MergeWorkspace } from "../../../rollup/merge.ts"
import { percentiles, StatisticsWorkspace } from "../../../rollup/statistics.ts"
import { SlotPopulation } from "./slot-population.ts"

export class RawStatisticsWorkspace {
  readonly statistics = new StatisticsWorkspace()
  readonly contributions = new Contributions()
  readonly merge = new MergeWorkspace()
  /** The merged cell of one slot. */
  readonly merged = new CellColumns(1)
  readonly union = new MergedQuantiles()
  readonly quantiles = new Float64Array(percentiles.length)
  readonly populations: readonly SlotPopulation[] = Array.from(
    { length: seriesPerBlock },
    () => new SlotPopulation(this.contributions),
  )
}
