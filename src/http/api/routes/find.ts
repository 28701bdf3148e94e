/** Routes of search: metrics and elements, under both names of each endpoint, and lists. */

import {
  aggregationsAnswer,
  elementPageAnswer,
  fqnsAnswer,
  metricPageAnswer,
  metricsAnswer,
} from "../../../wire/description/list-answers.ts"
import { querySchema } from "../../../wire/filter/query-body.ts"
import { elementTermNames, type QueryKind } from "../../../query/query.ts"
import { queryHandler, endParameter, startParameter } from "../query-handler.ts"
import {
  wordValue,
  durationValue,
  jsonValue,
  pathParameter,
  queryParameter,
} from "../../shared/parameters.ts"
import {
  ok,
  jsonBody,
  route,
  type Operation,
  type Parameter,
  type Route,
  type ResponseDescription,
  type BodyDescription,
} from "../../shared/route.ts"

const metrics = "Metrics"
const elements = "Elements"

/** The name in the documentation and the one of the real service (spec/names §1). */
const searchWords = ["search", "elasticsearch"] as const

const filterWords = [
  "Filter groups (`{and, items, nestedItems}`) by list (`metricFqns`, `elementTypes`, …) and by",
  "map (`elementTags`, `metricTags`, `attributes`). All groups must let something pass; in a group",
  "`and` says whether all items or any must match, and an item with `contains` false excludes.",
  "`literal` false is a part of the text in any case; `queryType` is EXACT, PREFIX, WILDCARD,",
  "CONTAINS or REGEX (RE2 syntax). `startDate` and `endDate` keep what had data in between.",
].join(" ")

const item = (text: string) => ({ item: text, literal: true, contains: true })

function searchBody(kind: string, example: unknown): BodyDescription {
  const paging = "`sort`, `page`, `pageSize` and `sourceFilter` say what is shown of it."
  const description = `${filterWords} ${kind} ${paging}`.replace("  ", " ")
  return jsonBody(description, querySchema, example)
}

const metricExample = {
  elementTypes: { and: false, items: [item("SERVER")] },
  metricFqns: { and: false, items: [{ ...item("cpu.total"), queryType: "EXACT" }] },
  sort: { field: "fqn", order: "asc", missing: "_last" },
  page: 0,
  pageSize: 10,
  sourceFilter: { excludes: ["processingFlags"] },
}

const elementExample = {
  elementNames: { and: false, items: [{ item: "web", literal: false, contains: true }] },
  elementTags: { and: true, items: [{ key: "env", value: "prod", literal: true, contains: true }] },
  sort: { field: "name", order: "asc", missing: "_last" },
  page: 0,
  pageSize: 10,
}

const pageExample = {
  page: {
    content: [],
    last: true,
    first: true,
    totalElements: 0,
    totalPages: 0,
    sort: null,
    numberOfElements: 0,
    size: 10,
    number: 0,
  },
}

const window: readonly Parameter[] = [
  startParameter,
  endParameter,
  queryParameter("duration", "ISO 8601; up to now; wins over the others", { value: durationValue }),
]

export const findRoutes: readonly Route[] = [
  ...bothNames(metrics, (word) => `/metrics/${word}/metricQuery`, {
    summary: "Finds metrics, a page at a time",
    access: "reader",
    body: searchBody("", metricExample),
    response: ok("A page of metric documents", metricPageAnswer, pageExample),
    handle: queryHandler("metricQuery"),
  }),
  ...bothNames(metrics, (word) => `/metrics/${word}/metricAgg/:term`, {
    summary: "Counts the metrics that are found by FQN",
    access: "reader",
    parameters: [term(["fqn"])],
    body: searchBody("All values are answered; of", metricExample),
    response: aggregationAnswer("Metric FQNs, with how many elements have each", "cpu.total"),
    handle: queryHandler("metricAgg"),
  }),
  listRoute("/metrics/fqns", "fqns", {
    summary: "Names of metrics that match any of the given conditions; all without conditions",
    parameters: fqnsParameters(),
    response: ok("FQNs, sorted", fqnsAnswer, { fqns: ["cpu.total"] }),
  }),
  listRoute("/metrics", "metrics", {
    summary: "Metrics that had data in a window, by default since midnight UTC",
    parameters: window,
    response: ok("Metric documents", metricsAnswer, { metrics: [] }),
  }),
  ...bothNames(elements, (word) => `/elements/${word}/elementQuery`, {
    summary: "Finds elements, a page at a time",
    access: "reader",
    body: searchBody("", elementExample),
    response: ok("A page of element documents", elementPageAnswer, pageExample),
    handle: queryHandler("elementQuery"),
  }),
  ...bothNames(elements, (word) => `/elements/${word}/elementAgg/:term`, {
    summary: "Counts the elements that are found by type, tag, attribute or collector",
    access: "reader",
    parameters: [term(elementTermNames)],
    body: searchBody(
      "`nestedAggregationFilters` chooses the tags or attributes that are counted; of",
      elementExample,
    ),
    response: aggregationAnswer(
      "Values, most elements first; names of tags and attributes have `values` of their own",
      "SERVER",
    ),
    handle: queryHandler("elementAgg"),
  }),
]

function bothNames(section: string, path: (word: string) => string, POST: Operation): Route[] {
  return searchWords.map((word) => route(section, path(word), { POST }))
}

function listRoute(
  path: string,
  kind: QueryKind,
  told: Pick<Operation, "summary" | "response"> & { readonly parameters: readonly Parameter[] },
): Route {
  const GET: Operation = { ...told, access: "reader", handle: queryHandler(kind) }
  return route(metrics, path, { GET })
}

function term(options: readonly string[]): Parameter {
  const value = wordValue(options)
  const [example] = options
  return pathParameter("term", "What to count by", { value, example: example! })
}

function aggregationAnswer(description: string, fieldValue: string): ResponseDescription {
  return ok(description, aggregationsAnswer, { aggregations: [{ fieldValue, count: 4 }] })
}

/** Conditions on names of metrics. */
export function fqnsParameters(): Parameter[] {
  const lists = [
    ["elementId", "Ids of elements", "web-1"],
    ["elementFqn", "FQNs of elements", "web-1"],
    ["elementName", "Display names of elements, in their case", "Web One"],
    ["elementType", "Types of elements, in their case", "SERVER"],
    ["metricFqn", "FQNs of metrics", "cpu.total"],
  ] as const
  const maps = [
    ["elementAttribute", "Attributes of elements", '{"cpus":["4","8"]}'],
    ["elementTag", "Tags of elements", '{"env":["prod"]}'],
    ["metricTag", "Tags of metrics", '{"utilization":["true"]}'],
  ] as const
  return [
    ...lists.map(([name, description, example]) => ({ name, description, example })),
    ...maps.map(([name, what, example]) => ({
      name,
      description: `${what}: a JSON object of names and arrays of values, any of which will do`,
      value: jsonValue,
      example,
    })),
  ].map((one) => ({ ...one, in: "query", repeatable: true }))
}
