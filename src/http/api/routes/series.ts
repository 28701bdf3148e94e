/** Route of the values that charts, tables and widgets draw. */

import { seriesQueryAnswer } from "../../../wire/series/series-query-result.ts"
import { seriesQuerySchema } from "../../../wire/series/series-query-body.ts"
import { jsonBody, ok, route, type Route } from "../../shared/route.ts"
import { queryHandler } from "../query-handler.ts"

const words = [
  "A window (`startTime` and `endTime`, or `duration`, of any length), the wanted columns",
  "(`width`) and 1 to 64 `queries`. Each names its series or finds them by filter groups, as",
  "searches have them. `rollup` AUTO takes the finest resolution that is retained where the",
  "window begins and has at most four buckets a column. `by` combines the series that share a",
  "text by `aggregation`; `order` and `limit` say which lines are shown; `shift` reads as much",
  "earlier.",
].join(" ")

const example = {
  duration: "PT6H",
  width: 800,
  rollup: "PT5M",
  queries: [
    {
      id: "cpu",
      filter: {
        metricFqns: { and: false, items: [{ item: "cpu.total", literal: true, contains: true }] },
      },
      fields: ["actual", "low", "high"],
      by: "series",
      order: { by: "max", direction: "desc" },
      limit: 20,
    },
  ],
}

export const seriesRoutes: readonly Route[] = [
  route("Metrics", "/series/query", {
    POST: {
      summary: "Values of many series in columns of a chart, for many charts in one request",
      access: "reader",
      body: jsonBody(words, seriesQuerySchema, example),
      response: ok("`queries`: the lines of each, or its errors, in order", seriesQueryAnswer),
      handle: queryHandler("seriesQuery"),
    },
  }),
]
