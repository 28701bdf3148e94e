/** Routes of values: statistics of metrics, and their aggregation across elements. */

import { queryHandler, paramsOf, rollupParameter, windowParameters } from "../query-handler.ts"
import { acrossStatistics, aggregations } from "../../../query/query.ts"
import type { Handler, Operation, Parameter, Route } from "../../shared/route.ts"
import { flagValue, jsonValue, wordValue } from "../../shared/parameters.ts"
import { elementIdsBody } from "../../../wire/elements/element-ids-body.ts"
import { elementScopeBody } from "../../../wire/elements/element-scope-body.ts"
import { crossElementAnswer } from "../../../wire/statistics/cross-element-result.ts"
import {
  aggregateStatisticsAnswer,
  statisticsAnswer as statisticsSchema,
} from "../../../wire/statistics/statistics-result.ts"
import { querySchema } from "../../../wire/filter/query-body.ts"

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
  {
    name: "showValues",
    in: "query",
    value: flagValue(false),
    description: "true adds `data`, the values that the statistics are of, in time order",
    example: "true",
  },
  {
    name: "showTimestamps",
    in: "query",
    value: flagValue(false),
    description: "true adds `timestamps`, as long as `data` (an extension)",
    example: "true",
  },
  {
    name: "exact",
    in: "query",
    value: flagValue(false),
    description:
      "true has percentiles of ZERO computed from every raw sample, however many (an extension)",
    example: "false",
  },
]

const statisticsAnswer = {
  status: 200,
  schema: statisticsSchema,
  description: "`metrics`: statistics of each metric that has values in the window",
} as const

const aggregateParameters: readonly Parameter[] = [
  fqnParameter,
  ...windowParameters,
  { ...rollupParameter, name: "rollupInput" },
  rollupParameter,
]

const aggregateAnswer = {
  status: 200,
  schema: aggregateStatisticsAnswer,
  description:
    "`statistics` of the values of all these metrics together; null where there are none",
} as const

const aggregate: Omit<Operation, "parameters"> = {
  summary: "Statistics of a metric over all elements of a scope, as one population",
  access: "reader",
  response: aggregateAnswer,
  handle: queryHandler("aggregateStatistics"),
}

const scopeParameters: readonly Parameter[] = [
  many("ids", "Ids or FQNs of elements", "web-1"),
  many("types", "Types of elements", "SERVER"),
  many("nameContains", "Part of the element's name, in either case", "web"),
  many("nameExcludes", "Part that its name does not have", "test"),
  many("fqnIncludes", "Part of the element's FQN, in either case", "web"),
  many("fqnExcludes", "Part that its FQN does not have", "test"),
  {
    ...many("tags", "Tags, all of which the element has", '{"name":"env","value":"prod"}'),
    value: jsonValue,
  },
  {
    ...many("attributes", "Attributes, all of which it has", '{"name":"cpus","value":"4"}'),
    value: jsonValue,
  },
]

/** The id of a job that is done by the time anybody could ask for it. */
const acrossElements: Handler = (call, deps) => {
  const { tenant, body, nowMs } = call
  const params = { ...paramsOf(call), jobId: [deps.random.uuid()] }
  return deps
    .runQuery({ kind: "acrossElements", tenant, params, body, nowMs }, call.requester)
    .then((answer) => ({ status: 200, answer }))
}

export const statisticsRoutes: readonly Route[] = [
  {
    path: "/metrics/statistics",
    section,
    operations: {
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
        body: {
          kind: "json",
          description: "Ids or FQNs of elements; no body asks for all",
          schema: elementIdsBody,
          example: ["web-1"],
        },
        response: statisticsAnswer,
        handle: queryHandler("statistics"),
      },
    },
  },
  {
    path: "/metrics/statistics/aggregate",
    section,
    operations: {
      GET: { ...aggregate, parameters: [...aggregateParameters, ...scopeParameters] },
      POST: {
        ...aggregate,
        parameters: aggregateParameters,
        body: {
          kind: "json",
          description: "The scope, bare or as `elementScope`; an element passes all its parts",
          schema: elementScopeBody,
          example: { types: ["SERVER"], tags: [{ name: "env", value: "prod" }] },
        },
      },
    },
  },
  {
    path: "/metrics/crosselementagg",
    section,
    operations: {
      POST: {
        summary: "One value a bucket, combined from the metrics that a query finds",
        access: "reader",
        parameters: [
          {
            name: "aggregation",
            in: "query",
            description: "How they are combined",
            value: wordValue(aggregations, "avg"),
            example: "avg",
          },
          {
            name: "statistic",
            in: "query",
            description: "What of each is combined",
            value: wordValue(acrossStatistics, "actual"),
            example: "actual",
          },
          rollupParameter,
        ],
        body: {
          kind: "json",
          description: "A metric query; without dates the window is the last hour",
          schema: querySchema,
          example: {
            metricFqns: {
              and: false,
              items: [{ literal: true, contains: true, item: "cpu.total", queryType: "EXACT" }],
            },
          },
        },
        response: {
          status: 200,
          description: "`data.result.data`: timestamps and values, oldest first",
          schema: crossElementAnswer,
        },
        handle: acrossElements,
      },
    },
  },
]

function many(name: string, description: string, example: string): Parameter {
  return { name, in: "query", description, repeatable: true, example }
}
