/**
 * Expressions of computed metrics (spec/analytics §6) as trees.
 *
 * Two syntaxes parse to the same tree:
 *
 *   ${cpu.idle}.actual                 data['cpu.idle'].actual            metric
 *                                      data['cpu.idle']                   hasMetric: does it exist?
 *   sum(cpu[.].*)                      data.sum('cpu[.].*')               across
 *   attribute(cpus)                    attribute['cpus'].value            attribute
 *                                      attribute['cpus']                  hasAttribute
 *
 * Names and patterns may contain placeholders such as `${1}` for the configuration's captures.
 */

/** Statistics of one metric over one cycle; `actual` is the metric's value proper. */
export const cycleStatistics = ["actual", "avg", "min", "max", "sum", "cnt", "last"] as const
export type CycleStatistic = (typeof cycleStatistics)[number]

/** Functions of the actual values of all metrics of the element whose whole name matches. */
export const acrossFunctions = ["sum", "max", "min", "avg", "cnt"] as const
export type AcrossFunction = (typeof acrossFunctions)[number]

export const mathFunctions = [
  "min",
  "max",
  "abs",
  "round",
  "floor",
  "ceil",
  "sqrt",
  "pow",
  "log",
  "exp",
] as const
export type MathFunction = (typeof mathFunctions)[number]

export const binaryOperators = [
  "||",
  "&&",
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "+",
  "-",
  "*",
  "/",
  "%",
] as const
export type BinaryOperator = (typeof binaryOperators)[number]

export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "null" }
  | { readonly kind: "metric"; readonly fqn: string; readonly statistic: CycleStatistic }
  | { readonly kind: "hasMetric"; readonly fqn: string }
  | { readonly kind: "attribute"; readonly name: string }
  | { readonly kind: "hasAttribute"; readonly name: string }
  | { readonly kind: "across"; readonly function: AcrossFunction; readonly pattern: string }
  | { readonly kind: "math"; readonly function: MathFunction; readonly args: readonly Expression[] }
  | { readonly kind: "unary"; readonly operator: "-" | "!"; readonly of: Expression }
  | {
      readonly kind: "binary"
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: "choice"
      readonly condition: Expression
      readonly yes: Expression
      readonly no: Expression
    }
