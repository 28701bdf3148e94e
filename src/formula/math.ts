/** Functions of numbers; NaN in, NaN out. */

import { largestOf, smallestOf } from "../base/iterables.ts"
import type { MathFunction } from "./expression.ts"

export function applyMath(name: MathFunction, args: readonly number[]): number {
  // JavaScript has 1 for NaN ** 0, although the base is missing.
  if (args.some(Number.isNaN)) return NaN
  const [first, second] = [args[0] ?? NaN, args[1] ?? NaN]
  switch (name) {
    case "min":
      return smallestOf(args)
    case "max":
      return largestOf(args)
    case "pow":
      return first ** second
    case "abs":
      return Math.abs(first)
    case "round":
      return Math.round(first)
    case "floor":
      return Math.floor(first)
    case "ceil":
      return Math.ceil(first)
    case "sqrt":
      return Math.sqrt(first)
    case "log":
      return Math.log(first)
    case "exp":
      return Math.exp(first)
  }
}
