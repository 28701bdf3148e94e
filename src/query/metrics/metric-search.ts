/** POST `/metrics/search/metricQuery`: metrics that pass a filter, one page at a time. */

import { assert } from "../../base/assert.ts"
import { readMetricQueryBody } from "../../wire/filter/metric-query-body.ts"
import { printPage } from "../../wire/page.ts"
import { Problems } from "../../wire/problems.ts"
import { defineQuery } from "../core/define-query.ts"
import { matchedSeries, planSeriesSearch, readDates } from "../filter/activity-filter.ts"
import { metricDocuments } from "./metric-subject.ts"
import { metricPage } from "./result-order.ts"

export const metricSearch = defineQuery({
  kind: "metricQuery",
  async plan(context, input) {
    const problems = new Problems()
    const body = readMetricQueryBody(input.body, problems)
    const span = body === null ? null : readDates(body, input.nowMs, problems)
    problems.throwIfAny()
    assert(body !== null, "Expected a body without problems to be read")
    const { filter, sort, page, pageSize, fields } = body
    const plan = await planSeriesSearch(context, input.tenant, { filter, span })
    return { ...plan, query: { ...plan.query, sort, page, pageSize, fields } }
  },
  async answer(context, planned) {
    const { page, pageSize, fields } = planned.plan.query
    const found = await matchedSeries(context, planned)
    const series = metricPage(context, found, planned.plan.query)
    const content = metricDocuments(context, series, fields)
    return printPage({ content, count: series.length, total: found.size, page, pageSize })
  },
})
