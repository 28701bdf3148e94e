/** Values for charts over HTTP: a chart, many lines and a dashboard, each answer checked. */

import { postRequest } from "./connection.ts"
import type { FigureName } from "./figures.ts"
import type { Asking, LoadQuery } from "./queries.ts"
import { dayMs } from "./section.ts"
import { basicAuthorization } from "./subjects.ts"

const columnsOfDay = 288
const widgets = 20
/** Lines of one chart, and of one widget. */
const linesOfChart = 20
const linesOfWidget = 5

/** All over a day of PT5M: 20 lines, all elements with one field, and 20 widgets in one request. */
const chartQueries: readonly LoadQuery[] = [
  chart("chartTwenty", ({ workload }) => [
    { limit: Math.min(linesOfChart, workload.elements), fields: ["actual", "low", "high"] },
  ]),
  chart("chartThousand", ({ workload }) => [{ limit: workload.elements, fields: ["actual"] }]),
  chart("chartDashboard", () =>
    Array.from({ length: widgets }, () => {
      return { limit: linesOfWidget, fields: ["actual", "low", "high"] }
    }),
  ),
]

/** None of a build that does not have this query. */
export async function chartQueriesOf({
  server,
  connection,
}: Asking): Promise<readonly LoadQuery[]> {
  const request = postRequest(targetOf(server.launch.target.port), "{}")
  const { status } = await connection.send(request)
  return status === 404 ? [] : chartQueries
}

function targetOf(port: number) {
  const headers = { Authorization: basicAuthorization, "Content-Type": "application/json" }
  return { port, path: "/series/query", headers }
}

interface ChartLines {
  readonly limit: number
  readonly fields: readonly string[]
}

function chart(name: FigureName, queriesOf: (asked: Asking) => readonly ChartLines[]): LoadQuery {
  return { name, ask: (asked) => ask(asked, name, queriesOf(asked)) }
}

interface SeriesAnswer {
  readonly queries: readonly {
    readonly series: readonly { readonly values: Readonly<Record<string, readonly unknown[]>> }[]
  }[]
}

/** Throws unless every line has every column. */
async function ask(
  { server, workload, connection }: Asking,
  name: FigureName,
  lines: readonly ChartLines[],
): Promise<{ readonly ms: number }> {
  const endTime = workload.timeMs(workload.minutes)
  const item = { item: workload.metricList[0]!.fqn, literal: true, contains: true }
  const filter = { metricFqns: { and: false, items: [{ ...item, queryType: "EXACT" }] } }
  const body = {
    startTime: endTime - dayMs,
    endTime,
    rollup: "PT5M",
    queries: lines.map((one, i) => ({ id: `${i}`, filter, ...one })),
  }
  const request = postRequest(targetOf(server.launch.target.port), JSON.stringify(body))
  const startedMs = performance.now()
  const { status, body: text } = await connection.send(request)
  const ms = performance.now() - startedMs
  if (status !== 200) throw new Error(`${name}: ${status} ${text.slice(0, 300)}`)
  const { queries } = JSON.parse(text) as SeriesAnswer
  const isWhole = queries.every(({ series }, i) => {
    const { limit, fields } = lines[i]!
    const isLine = (values: Readonly<Record<string, readonly unknown[]>>) =>
      fields.every((field) => values[field]!.filter(Number.isFinite).length === columnsOfDay)
    return series.length === limit && series.every(({ values }) => isLine(values))
  })
  if (!isWhole) throw new Error(`${name}: expected whole lines: ${text.slice(0, 300)}`)
  return { ms }
}
