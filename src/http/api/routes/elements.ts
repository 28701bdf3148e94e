/** Routes of elements: lists, one element, its metrics, its relationships. */

import { relationshipLevelsMax, sampleFieldNames } from "../../../query/query.ts"
import type { PathNames } from "../../../query/query.ts"
import { elementFieldNames } from "../../../wire/elements/element-document.ts"
import {
  elementAnswer,
  elementIdsAnswer,
  elementsAnswer,
  namePreviewAnswer,
} from "../../../wire/description/list-answers.ts"
import { metricMetaAnswer } from "../../../wire/elements/metric-meta.ts"
import { relationshipsAnswer } from "../../../wire/elements/relationships-result.ts"
import { samplesAnswer, samplesWithSummaryAnswer } from "../../../wire/statistics/samples-result.ts"
import { namePreviewBody } from "../../../wire/elements/name-preview-body.ts"
import {
  queryHandler,
  elementParameter,
  metricParameter,
  paramsOf,
  rollupParameter,
  windowParameters,
} from "../query-handler.ts"
import {
  flagValue,
  wordValue,
  wholeValue,
  queryParameter,
  repeatedParameter,
} from "../../shared/parameters.ts"
import {
  noBody,
  noContent,
  ok,
  jsonBody,
  route,
  type Call,
  type Handler,
  type Parameter,
  type Route,
  type RouteDeps,
} from "../../shared/route.ts"

const section = "Elements"

/** The FQNs of the element and metric of a path. Throws `missing` if one does not exist. */
export async function namesOf(call: Call, deps: RouteDeps): Promise<PathNames> {
  const { tenant, nowMs } = call
  const params = paramsOf(call)
  const request = { kind: "names", tenant, params, body: null, nowMs } as const
  const answer = await deps.runQuery(request, call.requester)
  return answer.json() as PathNames
}

const remove: Handler = async (call, deps) => {
  const { element } = await namesOf(call, deps)
  const { tenant, nowMs } = call
  await deps.amend({ kind: "removeElement", tenant, element, nowMs })
  return noContent
}

const listParameters: readonly Parameter[] = [
  repeatedParameter("ids", "Ids or FQNs", { example: "web-1" }),
  repeatedParameter("id", "The same under its other name", { example: "web-1" }),
  repeatedParameter("name", "Display names, in full", { example: "Web One" }),
  repeatedParameter("type", "Types, in full", { example: "SERVER" }),
  repeatedParameter("location", "Locations, in full", { example: "Zürich" }),
  repeatedParameter("tags", "Names of tags, or JSON with names and values; the element has all", {
    example: "env",
  }),
  queryParameter("state", "true: some of its metrics are being collected; false: none is", {
    value: flagValue(),
    example: "true",
  }),
  repeatedParameter("fields", "Fields of the documents; all if absent", {
    value: wordValue([...elementFieldNames]),
    example: "fqn",
  }),
  ...windowParameters,
]

const samplesPath = "/elements/:elementId/metrics/:metricId/samples"

const fixedRoutes: readonly Route[] = [
  route(section, "/elements", {
    GET: {
      summary: "All elements that pass the given parameters",
      access: "reader",
      parameters: listParameters,
      response: ok("`elements`; with a window, those that had data in it", elementsAnswer),
      handle: queryHandler("elementList"),
    },
  }),
  route(section, "/elements/ids", {
    GET: {
      summary: "Ids of the elements that had data in a window",
      access: "reader",
      parameters: windowParameters,
      response: ok("`ids`; the window begins at midnight UTC unless it is given", elementIdsAnswer),
      handle: queryHandler("elementIds"),
    },
  }),
  route(section, "/elements/name/preview", {
    POST: {
      summary: "How an element would be called by a template",
      access: "reader",
      mayMiss: true,
      body: jsonBody(
        "The element and a template with ${tags.X}, ${attributes.X} and ${meta.X}; the " +
          "last is fqn, location, type, id, tenantId or originalName",
        namePreviewBody,
        { elementId: "web-1", template: "${tags.env} ${meta.location}" },
      ),
      response: ok("`preview`", namePreviewAnswer),
      handle: queryHandler("namePreview"),
    },
  }),
]

/** Routes with fixed segments precede `/elements/:elementId`, which would match them. */
export const elementRoutes: readonly Route[] = [
  ...fixedRoutes,
  route(section, "/elements/:elementId", {
    GET: {
      summary: "One element with its metrics",
      access: "reader",
      parameters: [elementParameter],
      response: ok("`element`", elementAnswer),
      handle: queryHandler("element"),
    },
    DELETE: {
      summary: "Delete an element; it is there again when it is posted again",
      access: "writer",
      parameters: [elementParameter],
      response: noBody(204, "Deleted; its values are kept"),
      handle: remove,
    },
  }),
  route(section, "/elements/:elementId/metrics", {
    GET: {
      summary: "What is known of the values of an element's metrics",
      access: "reader",
      parameters: [
        elementParameter,
        repeatedParameter("metricFQN", "FQNs of metrics; all if absent", { example: "cpu" }),
        repeatedParameter("metricFqn", "The same under its other name", { example: "cpu" }),
      ],
      response: ok("`metricMeta`, one entry a metric", metricMetaAnswer),
      handle: queryHandler("elementMetrics"),
    },
  }),
  route(section, "/elements/:elementId/relationships", {
    GET: {
      summary: "The elements around one, as a graph",
      access: "reader",
      parameters: [
        elementParameter,
        queryParameter("levels", "How many steps away", {
          value: wholeValue(1, relationshipLevelsMax, 1),
          example: "2",
        }),
        ...windowParameters,
      ],
      response: ok(
        "`relationships`, as JSON Graph; with a window, elements with data in it",
        relationshipsAnswer,
      ),
      handle: queryHandler("relationships"),
    },
  }),
  samples(samplesPath, {}),
  samples(`/ui${samplesPath}`, { ui: ["true"] }),
]

function samples(path: string, extra: Readonly<Record<string, readonly string[]>>): Route {
  const withSummary = extra["ui"] === undefined ? "" : ", with their min, avg, max and sum"
  return route(section, path, {
    GET: {
      summary: "Values of one metric over a window",
      access: "reader",
      parameters: [
        elementParameter,
        metricParameter,
        ...windowParameters,
        rollupParameter,
        repeatedParameter("aggregations", "Fields of the samples, such as ACTUAL; all if absent", {
          value: wordValue(sampleFieldNames),
          example: "ACTUAL",
        }),
        queryParameter("fqn", "Accepted for real clients; the path names the metric", {
          example: "cpu.total",
        }),
      ],
      response: ok(
        `\`samples\`, oldest first${withSummary}`,
        extra["ui"] === undefined ? samplesAnswer : samplesWithSummaryAnswer,
      ),
      handle: queryHandler("samples", extra),
    },
  })
}
