/** Loads one metric's cell of the closing cycle into its row. */

import { inputBaselineOff, inputCorrelationOff, inputPartial } from "../analysis/columns.ts"
import { bandsOf } from "../model/effective-settings.ts"
import type { MetricDefinition } from "../model/element.ts"
import { derivedActual, flagPartial, hasActual } from "../rollup/cell.ts"
import { actualKindOf } from "../rollup/actual-kind.ts"
import type { CellLocation } from "./cycle-cells.ts"
import { historyCycle, historyFloats, type Rows } from "./rows.ts"

export interface LoadedRow {
  /** Samples of the cycle. */
  readonly samples: number
  /** The actual kind that the cell must record from now on; null if it does already. */
  readonly code: number | null
}

/**
 * Copies the cell's actual value and its flags into the row. If the settings of the metric have
 * changed since the cell was written, the actual is derived again.
 */
export function loadRow(
  rows: Rows,
  row: number,
  cycle: number,
  definition: MetricDefinition,
  { cells, at }: CellLocation,
): LoadedRow {
  const { inputs } = rows
  const { baseline, correlation } = bandsOf(definition)
  if (!baseline) inputs.flags[row]! |= inputBaselineOff
  if (!correlation) inputs.flags[row]! |= inputCorrelationOff
  const samples = cells.count[at]!
  if (!(samples > 0)) return { samples: 0, code: null }
  rows.history[row * historyFloats + historyCycle] = cycle
  if ((cells.flags[at]! & flagPartial) !== 0) inputs.flags[row]! |= inputPartial
  const code = actualKindOf(definition)
  const isRecorded = cells.actualKind[at] === code
  if (!isRecorded) {
    cells.actualKind[at] = code
    const actual = derivedActual(cells, at)
    cells.actuals[at] = Number.isNaN(actual) ? 0 : 1
    cells.actual[at] = Number.isNaN(actual) ? 0 : actual
  }
  if (hasActual(cells, at)) inputs.actual[row] = cells.actual[at]!
  return { samples, code: isRecorded ? null : code }
}
