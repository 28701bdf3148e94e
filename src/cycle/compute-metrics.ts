/** Computed metrics of one element in the cycle that closes. */

import type { Catalogue } from "../catalogue/catalogue.ts"
import type { ComputedPlan, EmitComputed } from "../analytics-settings/computed-metrics.ts"
import type { CycleStatistic } from "../formula/expression.ts"
import { cellAverage } from "../rollup/cell.ts"
import type { CycleCells } from "./cycle-cells.ts"
import type { Rows } from "./rows.ts"
import type { ElementRows } from "./element-states.ts"

interface ComputeDeps {
  readonly computed: ComputedPlan
  readonly catalogue: Catalogue
  readonly cells: CycleCells
  readonly rows: Rows
  readonly cycle: number
}

/** Passes each computed value to `emit`, a metric after the metrics that it is computed from. */
export function computeMetrics(
  deps: ComputeDeps,
  range: ElementRows,
  metricFqns: readonly string[],
  emit: EmitComputed,
): void {
  const { computed, catalogue } = deps
  const subject = {
    fqn: catalogue.elementFqn(range.element),
    info: catalogue.elementInfo(range.element),
    metricFqns,
    valueOf: (index: number, statistic: CycleStatistic) =>
      valueOf(deps, range.from + index, statistic),
  }
  computed.evaluate(subject, emit)
}

/** Undefined for a metric that an earlier cycle computed: it has no samples in this cycle. */
function valueOf(
  { cells, rows, cycle }: ComputeDeps,
  row: number,
  statistic: CycleStatistic,
): number | undefined {
  const actual = rows.inputs.actual[row]!
  if (statistic === "actual") return Number.isNaN(actual) ? undefined : actual
  const { cells: columns, at } = cells.locate(rows.series[row]!, cycle)
  const count = columns.count[at]!
  // A gap fill is the value of every statistic except the count of samples.
  if (!(count > 0)) return Number.isNaN(actual) || statistic === "cnt" ? undefined : actual
  switch (statistic) {
    case "avg":
      return cellAverage(columns, at)
    case "min":
      return columns.min[at]!
    case "max":
      return columns.max[at]!
    case "sum":
      return columns.sum[at]!
    case "cnt":
      return count
  }
}
