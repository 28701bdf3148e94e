/** Routes of elements: lists, one element, its metrics, its surroundings. */

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
  noBody,
  noContent,
  type Call,
  type Handler,
  type Parameter,
  type RouteDeps,
} from "../../shared/route.ts"
import type { Route } from "../../shared/route.ts"
import { flagValue, wholeValue, wordValue } from "../../shared/parameters.ts"

const section = "Elements"

/** The FQNs of what a path names, by id or FQN; throws `missing` where there is no such thing. */
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
  many("ids", "Ids or FQNs", "web-1"),
  many("id", "The same under its other name", "web-1"),
  many("name", "Display names, in full", "Web One"),
  many("type", "Types, in full", "SERVER"),
  many("location", "Locations, in full", "Zürich"),
  many("tags", "Names of tags, or JSON with names and values; the element has all", "env"),
  {
    name: "state",
    in: "query",
    description: "true: some of its metrics are being collected; false: none is",
    value: flagValue(),
    example: "true",
  },
  {
    ...many("fields", "Fields of the documents; all where absent", "fqn"),
    value: wordValue([...elementFieldNames]),
  },
  ...windowParameters,
]

const samplesPath = "/elements/:elementId/metrics/:metricId/samples"

const fixedRoutes: readonly Route[] = [
  {
    path: "/elements",
    section,
    operations: {
      GET: {
        summary: "All elements that pass the given parameters",
        access: "reader",
        parameters: listParameters,
        response: {
          status: 200,
          description: "`elements`; with a window, those that had data in it",
          schema: elementsAnswer,
        },
        handle: queryHandler("elementList"),
      },
    },
  },
  {
    path: "/elements/ids",
    section,
    operations: {
      GET: {
        summary: "Ids of the elements that had data in a window",
        access: "reader",
        parameters: windowParameters,
        response: {
          status: 200,
          description: "`ids`; the window begins at midnight UTC unless it is given",
          schema: elementIdsAnswer,
        },
        handle: queryHandler("elementIds"),
      },
    },
  },
  {
    path: "/elements/name/preview",
    section,
    operations: {
      POST: {
        summary: "How an element would be called by a template",
        access: "reader",
        mayMiss: true,
        body: {
          kind: "json",
          description:
            "The element and a template with ${tags.X}, ${attributes.X} and ${meta.X}, where the " +
            "last is fqn, location, type, id, tenantId or originalName",
          schema: namePreviewBody,
          example: { elementId: "web-1", template: "${tags.env} ${meta.location}" },
        },
        response: { status: 200, description: "`preview`", schema: namePreviewAnswer },
        handle: queryHandler("namePreview"),
      },
    },
  },
]

/** Routes with fixed segments come first: they compete with `:elementId`. */
export const elementRoutes: readonly Route[] = [
  ...fixedRoutes,
  {
    path: "/elements/:elementId",
    section,
    operations: {
      GET: {
        summary: "One element with its metrics",
        access: "reader",
        parameters: [elementParameter],
        response: { status: 200, description: "`element`", schema: elementAnswer },
        handle: queryHandler("element"),
      },
      DELETE: {
        summary: "Delete an element; it is there again when it is posted again",
        access: "writer",
        parameters: [elementParameter],
        response: noBody(204, "Deleted; its values are kept"),
        handle: remove,
      },
    },
  },
  {
    path: "/elements/:elementId/metrics",
    section,
    operations: {
      GET: {
        summary: "What is known of the values of an element's metrics",
        access: "reader",
        parameters: [
          elementParameter,
          many("metricFQN", "FQNs of metrics; all where absent", "cpu"),
          many("metricFqn", "The same under its other name", "cpu"),
        ],
        response: {
          status: 200,
          description: "`metricMeta`, one entry a metric",
          schema: metricMetaAnswer,
        },
        handle: queryHandler("elementMetrics"),
      },
    },
  },
  {
    path: "/elements/:elementId/relationships",
    section,
    operations: {
      GET: {
        summary: "The elements around one, as a graph",
        access: "reader",
        parameters: [
          elementParameter,
          {
            name: "levels",
            in: "query",
            description: "How many steps away",
            value: wholeValue(1, relationshipLevelsMax, 1),
            example: "2",
          },
          ...windowParameters,
        ],
        response: {
          status: 200,
          description: "`relationships`, as JSON Graph; with a window, elements with data in it",
          schema: relationshipsAnswer,
        },
        handle: queryHandler("relationships"),
      },
    },
  },
  samples(samplesPath, {}),
  samples(`/ui${samplesPath}`, { ui: ["true"] }),
]

function samples(path: string, extra: Readonly<Record<string, readonly string[]>>): Route {
  const withSummary = extra["ui"] === undefined ? "" : "; their min, avg, max and sum beside them"
  return {
    path,
    section,
    operations: {
      GET: {
        summary: "Values of one metric over a window",
        access: "reader",
        parameters: [
          elementParameter,
          metricParameter,
          ...windowParameters,
          rollupParameter,
          {
            ...many(
              "aggregations",
              "Fields of the samples, such as ACTUAL; all where absent",
              "ACTUAL",
            ),
            value: wordValue(sampleFieldNames),
          },
          {
            name: "fqn",
            in: "query",
            description: "Accepted for real clients; the path names the metric",
            example: "cpu.total",
          },
        ],
        response: {
          status: 200,
          description: `\`samples\`, oldest first${withSummary}`,
          schema: extra["ui"] === undefined ? samplesAnswer : samplesWithSummaryAnswer,
        },
        handle: queryHandler("samples", extra),
      },
    },
  }
}

function many(name: string, description: string, example: string): Parameter {
  return { name, in: "query", description, repeatable: true, example }
}
