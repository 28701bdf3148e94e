/** Routes of statistics of metrics, and of their aggregation across elements. */

import { queryHandler, paramsOf, rollupParameter, windowParameters } from "../query-handler.ts"
import { acrossStatistics, aggregations } from "../../../query/query.ts"
import { elementIdsBody } from "../../../wire/elements/element-ids-body.ts"
import { elementScopeBody } from "../../../wire/elements/element-scope-body.ts"
import { crossElementAnswer } from "../../../wire/statistics/cross-element-result.ts"
import {
  aggregateStatisticsAnswer,
  statisticsAnswer as statisticsSchema,
} from "../../../wire/statistics/statistics-result.ts"
import { querySchema } from "../../../wire/filter/query-body.ts"
import {
  flagValue,
  wordValue,
  jsonValue,
  queryParameter,
  repeatedParameter,
} from "../../shared/parameters.ts"
import {
  ok,
  jsonBody,
  route,
  type Handler,
  type Operation,
  type Parameter,
  type Route,
} from "../../shared/route.ts"

const section = "Metrics"

const fqnParameter: Parameter = {
  name: "fqn",
  in: "query",
  description: "FQN of the metric",
  required: true,
  example: "cpu.total",
}

const statisticsParameters: readonly Parameter[] = [
  fqnParameter,
  ...windowParameters,
  rollupParameter,
  queryParameter(
    "showValues",
    "true adds `data`, the values that the statistics are of, in time order",
    { value: flagValue(false), example: "true" },
  ),
  queryParameter("showTimestamps", "true adds `timestamps`, as long as `data` (an extension)", {
    value: flagValue(false),
    example: "true",
  }),
  queryParameter(
    "exact",
    "true has percentiles of ZERO computed from every raw sample, however many (an extension)",
    { value: flagValue(false), example: "false" },
  ),
]

const statisticsAnswer = ok(
  "`metrics`: statistics of each metric that has values in the window",
  statisticsSchema,
)

const aggregateParameters: readonly Parameter[] = [
  fqnParameter,
  ...windowParameters,
  { ...rollupParameter, name: "rollupInput" },
  rollupParameter,
]

const aggregateAnswer = ok(
  "`statistics` of the values of all these metrics together; null if there are none",
  aggregateStatisticsAnswer,
)

const aggregate: Omit<Operation, "parameters"> = {
  summary: "Statistics of a metric over all elements of a scope, as one population",
  access: "reader",
  response: aggregateAnswer,
  handle: queryHandler("aggregateStatistics"),
}

const scopeParameters: readonly Parameter[] = [
  repeatedParameter("ids", "Ids or FQNs of elements", { example: "web-1" }),
  repeatedParameter("types", "Types of elements", { example: "SERVER" }),
  repeatedParameter("nameContains", "Part of the element's name, in either case", {
    example: "web",
  }),
  repeatedParameter("nameExcludes", "Part that its name does not have", { example: "test" }),
  repeatedParameter("fqnIncludes", "Part of the element's FQN, in either case", { example: "web" }),
  repeatedParameter("fqnExcludes", "Part that its FQN does not have", { example: "test" }),
  repeatedParameter("tags", "Tags, all of which the element has", {
    value: jsonValue,
    example: '{"name":"env","value":"prod"}',
  }),
  repeatedParameter("attributes", "Attributes, all of which it has", {
    value: jsonValue,
    example: '{"name":"cpus","value":"4"}',
  }),
]

/** Responds with a job id for compatibility: the job is complete in the response. */
const acrossElements: Handler = (call, deps) => {
  const { tenant, body, nowMs } = call
  const params = { ...paramsOf(call), jobId: [deps.random.uuid()] }
  return deps
    .runQuery({ kind: "acrossElements", tenant, params, body, nowMs }, call.requester)
    .then((answer) => ({ status: 200, answer }))
}

export const statisticsRoutes: readonly Route[] = [
  route(section, "/metrics/statistics", {
    GET: {
      summary: "Statistics of a metric, for every element that has it",
      access: "reader",
      parameters: statisticsParameters,
      response: statisticsAnswer,
      handle: queryHandler("statistics"),
    },
    POST: {
      summary: "Statistics of a metric, for the elements that the body names",
      access: "reader",
      parameters: statisticsParameters,
      body: jsonBody("Ids or FQNs of elements; no body asks for all", elementIdsBody, ["web-1"]),
      response: statisticsAnswer,
      handle: queryHandler("statistics"),
    },
  }),
  route(section, "/metrics/statistics/aggregate", {
    GET: { ...aggregate, parameters: [...aggregateParameters, ...scopeParameters] },
    POST: {
      ...aggregate,
      parameters: aggregateParameters,
      body: jsonBody(
        "The scope, bare or as `elementScope`; an element passes all its parts",
        elementScopeBody,
        { types: ["SERVER"], tags: [{ name: "env", value: "prod" }] },
      ),
    },
  }),
  route(section, "/metrics/crosselementagg", {
    POST: {
      summary: "One value a bucket, combined from the metrics that a query finds",
      access: "reader",
      parameters: [
        queryParameter("aggregation", "How they are combined", {
          value: wordValue(aggregations, "avg"),
          example: "avg",
        }),
        queryParameter("statistic", "What of each is combined", {
          value: wordValue(acrossStatistics, "actual"),
          example: "actual",
        }),
        rollupParameter,
      ],
      body: jsonBody("A metric query; without dates the window is the last hour", querySchema, {
        metricFqns: {
          and: false,
          items: [{ literal: true, contains: true, item: "cpu.total", queryType: "EXACT" }],
        },
      }),
      response: ok("`data.result.data`: timestamps and values, oldest first", crossElementAnswer),
      handle: acrossElements,
    },
  }),
]
