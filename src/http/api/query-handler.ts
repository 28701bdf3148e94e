/** Handlers that pass their request to the query module, which parses and validates it. */

import { resolutions } from "../../model/resolution.ts"
import type { QueryKind } from "../../query/query.ts"
import {
  wordValue,
  durationValue,
  timeValue,
  pathParameter,
  queryParameter,
  repeatedParameter,
} from "../shared/parameters.ts"
import type { Call, Handler, Parameter } from "../shared/route.ts"

/** A handler that runs a query of `kind`. Parameters in `extra` override those of the request. */
export function queryHandler(
  kind: QueryKind,
  extra: Readonly<Record<string, readonly string[]>> = {},
): Handler {
  return async (call, { runQuery }) => {
    const { tenant, body, nowMs, requester } = call
    const params = { ...paramsOf(call), ...extra }
    return { status: 200, answer: await runQuery({ kind, tenant, params, body, nowMs }, requester) }
  }
}

/** All query parameters; named segments of the path override them. */
export function paramsOf({ path, query }: Call): Record<string, readonly string[]> {
  const params = new Map(Object.entries(query))
  for (const [name, value] of Object.entries(path)) params.set(name, [value])
  return Object.fromEntries(params)
}

export const elementParameter: Parameter = pathParameter("elementId", "Id or FQN of an element", {
  example: "web-1",
})

export const metricParameter: Parameter = pathParameter(
  "metricId",
  "Id or FQN of one of its metrics",
  { example: "cpu.total" },
)

export const startParameter: Parameter = queryParameter(
  "startTime",
  "Start of the window: ISO 8601 with a zone, epoch milliseconds or yyyyMMdd",
  { value: timeValue, example: "2026-11-01T00:00:00Z" },
)

export const endParameter: Parameter = queryParameter(
  "endTime",
  "End of the window, itself excluded; now if absent",
  { value: timeValue, example: "2026-11-01T01:00:00Z" },
)

export const windowParameters: readonly Parameter[] = [
  queryParameter(
    "duration",
    "ISO 8601 duration up to now, at most two weeks; wins over startTime and endTime",
    { value: durationValue, example: "PT1H" },
  ),
  startParameter,
  endParameter,
]

export const rollupParameter: Parameter = repeatedParameter(
  "rollup",
  "ZERO is the raw samples; the first of several counts; PT5M if there is none",
  { value: wordValue(resolutions), example: "PT5M" },
)
