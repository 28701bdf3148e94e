/** What is kept of a metric's baseline, as plain numbers that others store as bytes. */

import { patternSlots, slotsPerCycle } from "./cycle.ts"

/** Numbers of the hot part, as 64-bit floats: 96 bytes. */
export const baselineHotFloats = 12
/** Numbers of a slot, as 32-bit floats: 12 bytes. */
export const slotFloats = 3
/** Learned state of one metric: 2,688 bytes. */
export const baselineBytes = baselineHotFloats * 8 + patternSlots * slotFloats * 4

/**
 * What was learned of metrics, metric by metric, to be stored as it stands. All zero: nothing yet.
 */
export interface BaselineColumns {
  /** `baselineHotFloats` places a metric; changes every cycle. */
  readonly hot: Float64Array
  /**
   * The four slots of `slotsOfCycle(cycle)`, in its order, `slotFloats` places a metric each.
   * Whoever keeps the states keeps `patternSlots` such columns and hands in these four.
   */
  readonly slots: readonly [Float32Array, Float32Array, Float32Array, Float32Array]
}

/** Room for the states of `length` metrics in one cycle. */
export function createBaselineColumns(length: number): BaselineColumns {
  const slot = (): Float32Array => new Float32Array(length * slotFloats)
  const slots = Array.from({ length: slotsPerCycle }, slot)
  return {
    hot: new Float64Array(length * baselineHotFloats),
    slots: slots as unknown as BaselineColumns["slots"],
  }
}
