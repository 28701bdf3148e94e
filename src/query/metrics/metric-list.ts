/** GET `/metrics`: all metrics that had data in a window. */

import { invalid } from "../../base/errors.ts"
import { listedMetricsMax } from "../../base/limits/queries.ts"
import { jsonPieces } from "../../wire/json.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import { readDay, readWindowParameters } from "../core/window.ts"
import { matchedSeries, planSeriesSearch } from "../filter/activity-filter.ts"
import { metricDocuments } from "./metric-subject.ts"

export const metricList = defineQuery({
  kind: "metrics",
  /** Without a start the window begins at midnight UTC (spec/statistics §1). */
  parse({ params, nowMs }, problems) {
    const window = readWindowParameters(new QueryParameters(params, problems))
    return { filter: {}, span: readDay(window, nowMs, problems) }
  },
  plan: (context, parsed, { tenant }) => planSeriesSearch(context, tenant, parsed),
  async answer(context, planned) {
    const found = await matchedSeries(context, planned)
    if (found.size > listedMetricsMax) {
      throw invalid(
        `startTime: ${found.size} metrics had data since, more than ${listedMetricsMax}: ask ` +
          `POST /metrics/search/metricQuery, which answers a page at a time`,
      )
    }
    const metrics = metricDocuments(context, found.toArray())
    return jsonPieces(`{"metrics":`, metrics, (document) => JSON.stringify(document), "}")
  },
})
