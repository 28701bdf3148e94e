/** Collects what the closing of one cycle batch is to store, and returns it as columns. */

import { pushAll } from "../base/iterables.ts"
import type { ElementIndex, SeriesIndex } from "../model/ids.ts"
import type { MetricPatch } from "../model/element.ts"
import type { StateChange } from "../store/cycle-store.ts"
import type { CycleBands } from "../analysis/columns.ts"
import type { BatchChanges } from "./cycle-protocol.ts"

export class BatchResult {
  private readonly fills = { series: [] as number[], actuals: [] as number[] }
  private readonly definitions = { series: [] as number[], codes: [] as number[] }
  private readonly computed = {
    elements: [] as number[],
    fqns: [] as string[],
    actuals: [] as number[],
    definitions: [] as (MetricPatch | undefined)[],
  }
  private readonly bands = { series: [] as number[], values: [] as number[] }
  private readonly states: StateChange[] = []

  addFill(series: SeriesIndex, actual: number): void {
    this.fills.series.push(series)
    this.fills.actuals.push(actual)
  }

  addDefinition(series: SeriesIndex, code: number): void {
    this.definitions.series.push(series)
    this.definitions.codes.push(code)
  }

  addComputed(element: ElementIndex, fqn: string, actual: number, patch?: MetricPatch): void {
    this.computed.elements.push(element)
    this.computed.fqns.push(fqn)
    this.computed.actuals.push(actual)
    this.computed.definitions.push(patch)
  }

  /** Adds the bands of a row, if it has any. */
  addBands(series: SeriesIndex, bands: CycleBands, row: number): void {
    const baseline = bands.baselineMean[row]!
    const contextual = bands.contextualMean[row]!
    if (Number.isNaN(baseline) && Number.isNaN(contextual)) return
    this.bands.series.push(series)
    this.bands.values.push(baseline, bands.baselineStddev[row]!)
    this.bands.values.push(contextual, bands.contextualStddev[row]!)
  }

  addStates(changes: readonly StateChange[]): void {
    pushAll(this.states, changes)
  }

  /** The collected changes of the batch `name`. */
  changes(cycle: number, name: string): BatchChanges {
    const { fills, definitions, computed, bands, states } = this
    return {
      cycle,
      name,
      gapFills: {
        series: Int32Array.from(fills.series),
        actuals: Float64Array.from(fills.actuals),
      },
      computed: {
        elements: Int32Array.from(computed.elements),
        fqns: computed.fqns,
        actuals: Float64Array.from(computed.actuals),
        definitions: computed.definitions,
      },
      actualKinds: {
        series: Int32Array.from(definitions.series),
        kinds: Uint8Array.from(definitions.codes),
      },
      bands: { series: Int32Array.from(bands.series), values: Float32Array.from(bands.values) },
      states,
    }
  }
}
