/** Columns of baseline state: plain numbers, which the store keeps as bytes. */

import { patternSlots, slotsPerCycle } from "./cycle.ts"

/** Numbers of the hot part, as 64-bit floats: 96 bytes. */
export const baselineHotFloats = 12
/** Numbers of a slot, as 32-bit floats: 12 bytes. */
export const slotFloats = 3
/** Learned state of one metric: 2,688 bytes. */
export const baselineBytes = baselineHotFloats * 8 + patternSlots * slotFloats * 4

/**
 * Learned state, metric by metric, in its stored form. All zero means that nothing is learned yet.
 */
export interface BaselineColumns {
  /** `baselineHotFloats` numbers a metric; changes every cycle. */
  readonly hot: Float64Array
  /**
   * The four slots of `slotsOfCycle(cycle)`, in its order, `slotFloats` numbers a metric each. The
   * caller stores `patternSlots` such columns and passes these four.
   */
  readonly slots: readonly [Float32Array, Float32Array, Float32Array, Float32Array]
}

/** Columns for the states of `length` metrics in one cycle. */
export function createBaselineColumns(length: number): BaselineColumns {
  const slot = (): Float32Array => new Float32Array(length * slotFloats)
  const slots = Array.from({ length: slotsPerCycle }, slot)
  return {
    hot: new Float64Array(length * baselineHotFloats),
    slots: slots as unknown as BaselineColumns["slots"],
  }
}
