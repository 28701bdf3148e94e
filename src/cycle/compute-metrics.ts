/** Computed metrics of one element in the cycle that closes. */

import type { Catalogue } from "../catalogue/catalogue.ts"
import type { ComputedPlan, EmitComputed } from "../analytics-settings/computed-metrics.ts"
import type { CycleStatistic } from "../formula/expression.ts"
import { cellAverage } from "../rollup/cell.ts"
import type { CycleCells } from "./cycle-cells.ts"
import type { Rows } from "./rows.ts"
import type { ElementRows } from "./element-states.ts"

export interface ComputeDeps {
  readonly computed: ComputedPlan
  readonly catalogue: Catalogue
  readonly cells: CycleCells
  readonly rows: Rows
  readonly cycle: number
}

/** Hands each value to `take`, sources before what is computed from them. */
export function computeMetrics(
  world: ComputeDeps,
  where: ElementRows,
  metricFqns: readonly string[],
  take: EmitComputed,
): void {
  const { computed, catalogue } = world
  const subject = {
    fqn: catalogue.elementFqn(where.element),
    info: catalogue.elementInfo(where.element),
    metricFqns,
    valueOf: (place: number, statistic: CycleStatistic) =>
      valueOf(world, where.from + place, statistic),
  }
  computed.evaluate(subject, take)
}

/** Undefined for a metric that an earlier cycle computed: in this one it has no samples. */
function valueOf(
  { cells, rows, cycle }: ComputeDeps,
  row: number,
  statistic: CycleStatistic,
): number | undefined {
  const actual = rows.inputs.actual[row]!
  if (statistic === "actual") return Number.isNaN(actual) ? undefined : actual
  const { cells: columns, slot } = cells.locate(rows.series[row]!, cycle)
  const count = columns.count[slot]!
  // A filling stands for each statistic of the cycle but the count of what was seen.
  if (!(count > 0)) return Number.isNaN(actual) || statistic === "cnt" ? undefined : actual
  switch (statistic) {
    case "avg":
      return cellAverage(columns, slot)
    case "min":
      return columns.min[slot]!
    case "max":
      return columns.max[slot]!
    case "sum":
      return columns.sum[slot]!
    case "cnt":
      return count
  }
}
