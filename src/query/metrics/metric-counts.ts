/** POST `/metrics/search/metricAgg/fqn`: metrics that pass a filter, counted by name. */

import { readAggregationBody } from "../../wire/filter/aggregation-body.ts"
import { shown } from "../../wire/problems.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import { matchedSeries, planSeriesSearch, readDates } from "../filter/activity-filter.ts"
import { printAggregations, type CountedValue } from "../filter/aggregations.ts"

export const metricCounts = defineQuery({
  kind: "metricAgg",
  parse(input, problems) {
    const term = new QueryParameters(input.params, problems).one("term") ?? ""
    if (term !== "fqn") problems.add(`term: expected fqn, the only option, got ${shown(term)}`)
    const body = readAggregationBody(input.body, problems)
    return body && { ...body, span: readDates(body, input.nowMs, problems) }
  },
  async plan(context, { filter, span, sort }, { tenant }) {
    const plan = await planSeriesSearch(context, tenant, { filter, span })
    return { ...plan, query: { ...plan.query, sort } }
  },
  /** An element has a metric once, so the count of a name is the number of its elements. */
  async answer(context, planned) {
    const { catalogue } = context.store
    const counts = new Int32Array(catalogue.nameCount)
    const found = await matchedSeries(context, planned)
    found.forEach((series) => {
      counts[catalogue.seriesName(series)]!++
    })
    const values: CountedValue[] = []
    for (const [name, count] of counts.entries()) {
      if (count > 0) values.push({ fieldValue: catalogue.name(name).fqn, count })
    }
    return printAggregations(context, values, planned.plan.query.sort ?? byValue)
  },
})

const byValue = { field: "fieldValue", descending: false } as const
