/** Ticks of a value axis: round numbers of the unit as it is printed, so 512 MiB and not 500. */

import { unitOf, type Unit } from "../../format/units.ts"

/** About `countMax` ticks from `min` to `max`, multiples of one step. */
export function valueTicks(min: number, max: number, countMax: number, unitCode: string): number[] {
  const wanted = Math.max(1, countMax)
  const step = roundStep((max - min) / wanted, unitOf(unitCode))
  if (!Number.isFinite(step) || step <= 0) return [min]
  const first = Math.ceil(min / step - 1e-9)
  const last = Math.floor(max / step + 1e-9)
  // `wanted` bounds it: the step is not smaller than the range divided by it.
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
}

const decimalSteps = [1, 2, 2.5, 5, 10]

/** The smallest round step that is not below `least`. */
function roundStep(least: number, { steps, base }: Unit): number {
  const size = least * base
  const isBinary = steps[1]?.size === 1024
  if (isBinary && size >= 1) return 2 ** Math.ceil(Math.log2(size)) / base
  const isTime = steps.some(({ suffix }) => suffix === "min")
  const time = isTime && size > 1 ? timeSteps.find((one) => one >= size) : undefined
  return time === undefined ? decimalStep(least) : time / base
}

/** Seconds. */
const timeSteps = [
  2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
]

function decimalStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = decimalSteps.find((one) => one * power >= least * (1 - 1e-9)) ?? 10
  return factor * power
}

/** The bounds of an axis that shows these values: from zero if that hides little of the change. */
export function axisBounds(
  least: number,
  greatest: number,
  { isFromZero, unit }: { readonly isFromZero: boolean; readonly unit: string },
): { readonly min: number; readonly max: number } {
  if (least > greatest) return { min: 0, max: 1 }
  const hasZero = isFromZero || (least >= 0 && least <= greatest / 2)
  let [min, max] = hasZero ? [Math.min(0, least), Math.max(0, greatest)] : [least, greatest]
  if (min === max) [min, max] = around(min)
  const margin = (max - min) * 0.06
  const isShare = unit === "percent" && min >= 0 && max <= 100
  const upper = max === 0 ? 0 : max + margin
  return {
    min: min === 0 ? 0 : least >= 0 ? Math.max(0, min - margin) : min - margin,
    max: isShare ? Math.min(100, upper) : upper,
  }
}

/** Room on both sides of a flat line, also of one below zero. */
function around(value: number): [number, number] {
  if (value === 0) return [0, 1]
  const room = Math.max(Math.abs(value) / 2, Number.MIN_VALUE)
  return [value - room, value + room]
}
