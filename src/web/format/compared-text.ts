/** A comparison in few characters: `783 > 300 ms`, `96 > 47.3 %`, `42 in 36.7–47.3 %`. */

import { valueText, type NumberStyle } from "./numbers.ts"

/** As a condition of a policy compared them; a missing number is null. */
export interface Compared {
  readonly unit: string
  readonly analytic: string
  readonly operator: string
  readonly value: number | null
  readonly changePercent: number | null
  readonly threshold: number | null
  readonly thresholdUnit: string | null
  readonly lower: number | null
  readonly upper: number | null
}

const signs: Readonly<Record<string, string>> = { ">=": "≥", "<=": "≤", "==": "=", "!=": "≠" }

/** The sign of an operator of a condition: `≥` for `>=`. */
export function comparisonSign(operator: string): string {
  return signs[operator] ?? operator
}

const percent = "percent"

/** The unit is there once if both sides have the same; null if a number is missing. */
export function comparedText(compared: Compared, style: NumberStyle): string | null {
  const { operator, threshold, thresholdUnit } = compared
  const { value, unit } = sideOf(compared)
  if (value === null) return null
  if (compared.lower !== null && compared.upper !== null) return bandText(compared, value, style)
  if (threshold === null || thresholdUnit === null) return null
  const shown = valueText(value, unit, style)
  return compose(shown, comparisonSign(operator), valueText(threshold, thresholdUnit, style))
}

/** The value alone: `783 ms`. */
export function comparedSide(compared: Compared, style: NumberStyle): string | null {
  const { value, unit } = sideOf(compared)
  return value === null ? null : valueText(value, unit, style)
}

/** Of a sudden change its size is compared, not the value. */
function sideOf({ analytic, value, unit, changePercent }: Compared) {
  return analytic === "suddenDeviation" ? { value: changePercent, unit: percent } : { value, unit }
}

/** The bound that was crossed; both of them if the value is inside. */
function bandText({ unit, lower, upper }: Compared, value: number, style: NumberStyle): string {
  const [shown, low, high] = [value, lower, upper].map((one) => valueText(one, unit, style))
  if (value >= upper!) return compose(shown!, ">", high!)
  if (value <= lower!) return compose(shown!, "<", low!)
  return compose(shown!, "in", compose(low!, "–", high!, ""))
}

const unitSpace = "\u00a0"

function compose(left: string, sign: string, right: string, space = " "): string {
  const [number = "", suffix] = left.split(unitSpace)
  const isSame = suffix !== undefined && suffix === right.split(unitSpace)[1]
  return [isSame ? number : left, sign, right].join(space)
}
