/** Route of the values that charts, tables and widgets draw. */

import { seriesQueryAnswer } from "../../../wire/series/series-query-result.ts"
import { seriesQuerySchema } from "../../../wire/series/series-query-body.ts"
import { jsonBody, ok, route, type Call, type Handler, type Route } from "../../shared/route.ts"
import { parseAccept } from "hono/utils/accept"
import { paramsOf } from "../query-handler.ts"

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

const csvHeaders = {
  "Content-Type": "text/csv; charset=utf-8; header=present",
  "Content-Disposition": 'attachment; filename="series.csv"',
}

/** CSV for a client that prefers it to JSON, in parts as the connection takes them. */
const answerSeries: Handler = async (call, { runQuery }) => {
  const { tenant, body, nowMs, requester } = call
  const isCsv = prefersCsv(call)
  const params = { ...paramsOf(call), format: [isCsv ? "csv" : "json"] }
  const request = { kind: "seriesQuery", tenant, params, body, nowMs } as const
  const answer = await runQuery(request, requester)
  return { status: 200, answer, ...(isCsv && { headers: csvHeaders }) }
}

function prefersCsv({ request }: Call): boolean {
  const accepted = parseAccept(request.headers.get("accept") ?? "")
  const qualityOf = (name: string): number => accepted.find(({ type }) => type === name)?.q ?? 0
  return qualityOf("text/csv") > qualityOf("application/json")
}

export const seriesRoutes: readonly Route[] = [
  route("Metrics", "/series/query", {
    POST: {
      summary: "Values of many series in columns of a chart, for many charts in one request",
      access: "reader",
      body: jsonBody(words, seriesQuerySchema, example),
      response: {
        ...ok("`queries`: the lines of each, or its errors, in order", seriesQueryAnswer),
        otherTypes: ["text/csv"],
      },
      handle: answerSeries,
    },
  }),
]
