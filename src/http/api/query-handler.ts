/** Handlers that hand their request on to the query room as it is; it reads and judges them. */

import { resolutions } from "../../model/resolution.ts"
import type { QueryKind } from "../../query/query.ts"
import type { Call, Handler, Parameter } from "../shared/route.ts"
import { durationValue, timeValue, wordValue } from "../shared/parameters.ts"

/** Answers with what the query room answers. `extra` wins over parameters of that name. */
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

/** All query parameters; names from the path win over them. */
export function paramsOf({ path, query }: Call): Record<string, readonly string[]> {
  const params = new Map(Object.entries(query))
  for (const [name, value] of Object.entries(path)) params.set(name, [value])
  return Object.fromEntries(params)
}

export const elementParameter: Parameter = {
  name: "elementId",
  in: "path",
  description: "Id or FQN of an element",
  required: true,
  example: "web-1",
}

export const metricParameter: Parameter = {
  name: "metricId",
  in: "path",
  description: "Id or FQN of one of its metrics",
  required: true,
  example: "cpu.total",
}

export const startParameter: Parameter = {
  name: "startTime",
  in: "query",
  description: "Start of the window: ISO 8601 with a zone, epoch milliseconds or yyyyMMdd",
  value: timeValue,
  example: "2026-11-01T00:00:00Z",
}

export const endParameter: Parameter = {
  name: "endTime",
  in: "query",
  description: "End of the window, itself excluded; now where absent",
  value: timeValue,
  example: "2026-11-01T01:00:00Z",
}

export const windowParameters: readonly Parameter[] = [
  {
    name: "duration",
    in: "query",
    description: "ISO 8601 duration up to now, at most two weeks; wins over startTime and endTime",
    value: durationValue,
    example: "PT1H",
  },
  startParameter,
  endParameter,
]

export const rollupParameter: Parameter = {
  name: "rollup",
  in: "query",
  description: "ZERO is the raw samples; the first of several counts; PT5M if there is none",
  value: wordValue(resolutions),
  repeatable: true,
  example: "PT5M",
}
