/** POST `/metrics/search/metricQuery`: metrics that pass a filter, one page at a time. */

import { readMetricQueryBody } from "../../wire/filter/metric-query-body.ts"
import { printPage } from "../../wire/page.ts"
import { defineQuery } from "../core/define-query.ts"
import { matchedSeries, planSeriesSearch, readDates } from "../filter/activity-filter.ts"
import { metricDocuments } from "./metric-subject.ts"
import { metricPage } from "./result-order.ts"

export const metricSearch = defineQuery({
  kind: "metricQuery",
  parse(input, problems) {
    const body = readMetricQueryBody(input.body, problems)
    return body && { ...body, span: readDates(body, input.nowMs, problems) }
  },
  async plan(context, { filter, span, sort, page, pageSize, fields }, { tenant }) {
    const plan = await planSeriesSearch(context, tenant, { filter, span })
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
