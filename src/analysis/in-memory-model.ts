/** The complete learned state of one element, in memory: for replay, tests and measurements. */

import { baselineHotFloats, slotFloats, type BaselineColumns } from "./baseline-columns.ts"
import { correlationFloats } from "./contextual.ts"
import { patternSlots, slotsOfCycle } from "./cycle.ts"

export class InMemoryModel {
  readonly correlation: Float32Array
  readonly #hot: Float64Array
  readonly #slots: readonly Float32Array[]

  constructor(metrics: number) {
    this.correlation = new Float32Array(correlationFloats(metrics))
    this.#hot = new Float64Array(metrics * baselineHotFloats)
    const slot = (): Float32Array => new Float32Array(metrics * slotFloats)
    this.#slots = Array.from({ length: patternSlots }, slot)
  }

  /** The columns that a cycle reads and writes; not copies. */
  columnsOf(cycle: number): BaselineColumns {
    const [a, b, c, d] = slotsOfCycle(cycle)
    const slots = this.#slots
    return { hot: this.#hot, slots: [slots[a]!, slots[b]!, slots[c]!, slots[d]!] }
  }
}
