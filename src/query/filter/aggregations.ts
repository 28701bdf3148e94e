/** Answers of aggregations: values with how many have each. */

import type { QueryBudget } from "../../base/query-budget.ts"
import { invalid } from "../../base/errors.ts"
import { listedValuesMax } from "../../base/limits/queries.ts"
import type { AggregationField } from "../../wire/filter/aggregation-body.ts"
import type { JsonText } from "../../wire/json.ts"
import type { QueryContext } from "../core/query-context.ts"

export interface CountedValue {
  readonly fieldValue: string
  readonly count: number
  /** Of a tag or attribute: the values it has. */
  readonly values?: readonly CountedValue[]
}

export interface AggregationOrder {
  readonly field: AggregationField
  readonly descending: boolean
}

/** In order; equal counts in order of their values. Throws `invalid` where they are too many. */
export function printAggregations(
  { budget }: Pick<QueryContext, "budget">,
  values: readonly CountedValue[],
  order: AggregationOrder,
): JsonText {
  const total = values.reduce((sum, value) => sum + 1 + (value.values?.length ?? 0), 0)
  if (total > listedValuesMax) {
    throw invalid(`body: ${total} values pass, more than ${listedValuesMax}: narrow the filter`)
  }
  const aggregations = ordered(values, order, budget).map((value) => {
    const { values: inner } = value
    return inner === undefined ? value : { ...value, values: ordered(inner, order, budget) }
  })
  return JSON.stringify({ aggregations })
}

function ordered(
  values: readonly CountedValue[],
  { field, descending }: AggregationOrder,
  budget: QueryBudget,
): CountedValue[] {
  const sign = descending ? -1 : 1
  return [...values].sort((left, right) => {
    budget.step()
    if (field === "fieldValue") return sign * byValue(left, right)
    return sign * (left.count - right.count) || byValue(left, right)
  })
}

function byValue(left: CountedValue, right: CountedValue): number {
  return left.fieldValue < right.fieldValue ? -1 : left.fieldValue > right.fieldValue ? 1 : 0
}
