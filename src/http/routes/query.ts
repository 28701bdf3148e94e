/** Routes whose answers the query threads compute: statistics, samples, finding. */

import type { AskKind } from "../../query/query.ts"
import type { Call, Handler, Route } from "../route.ts"

const section = "Metrics"
const samplesPath = "/elements/:elementId/metrics/:metricId/samples"

export const queryRoutes: readonly Route[] = [
  {
    path: "/metrics/statistics",
    section,
    operations: {
      GET: {
        summary: "Statistics of metrics over a window",
        access: "reader",
        answer: { status: 200, description: "One entry a metric that has values in the window" },
        handle: asking("statistics"),
      },
      POST: {
        summary: "Statistics of the metrics that a body names",
        access: "reader",
        body: { kind: "json", description: "An array of metric ids, or a metric query" },
        answer: { status: 200, description: "One entry a metric that has values in the window" },
        handle: asking("statistics"),
      },
    },
  },
  metricQuery("/metrics/search/metricQuery"),
  metricQuery("/metrics/elasticsearch/metricQuery"),
  {
    path: "/metrics/fqns",
    section,
    operations: {
      GET: {
        summary: "Names of metrics that match any of the given conditions",
        access: "reader",
        answer: { status: 200, description: "`fqns`, sorted" },
        handle: asking("fqns"),
      },
    },
  },
  samples(samplesPath, {}),
  samples(`/ui${samplesPath}`, { ui: ["true"] }),
  {
    path: "/elements/:elementId",
    section: "Elements",
    operations: {
      GET: {
        summary: "One element",
        access: "reader",
        answer: { status: 200, description: "The element" },
        handle: asking("element"),
      },
    },
  },
]

function metricQuery(path: string): Route {
  return {
    path,
    section,
    operations: {
      POST: {
        summary: "Find metrics",
        access: "reader",
        body: { kind: "json", description: "Filter groups, window, sort and page" },
        answer: { status: 200, description: "A page of metrics" },
        handle: asking("metricQuery"),
      },
    },
  }
}

function samples(path: string, extra: Readonly<Record<string, readonly string[]>>): Route {
  return {
    path,
    section: "Elements",
    operations: {
      GET: {
        summary: "Values of one metric over a window",
        access: "reader",
        answer: { status: 200, description: "Samples in time order" },
        handle: asking("samples", extra),
      },
    },
  }
}

/** Hands the request on as it is: parameters are read and judged in the query room. */
export function asking(
  kind: AskKind,
  extra: Readonly<Record<string, readonly string[]>> = {},
): Handler {
  return async (call, { ask }) => {
    const { tenant, body, nowMs } = call
    const params = { ...paramsOf(call), ...extra }
    return { status: 200, bytes: await ask({ kind, tenant, params, body, nowMs }) }
  }
}

/** All query parameters; names from the path win over them. */
function paramsOf({ path, query }: Call): Record<string, readonly string[]> {
  const params = new Map(Object.entries(query))
  for (const [name, value] of Object.entries(path)) params.set(name, [value])
  return Object.fromEntries(params)
}
