/** Routes of tags on elements and on metrics (spec/queries §9). */

import type { NameValue } from "../../../model/element.ts"
import {
  readNamedTag,
  readTagBody,
  tagBody,
  tagEcho,
  tagEchoAnswer,
  tagsAnswer,
} from "../../../wire/elements/tag-body.ts"
import { queryHandler, elementParameter, metricParameter } from "../query-handler.ts"
import {
  json,
  noBody,
  noContent,
  type Call,
  type Handler,
  type Parameter,
  type RouteDeps,
} from "../../shared/route.ts"
import type { Route } from "../../shared/route.ts"
import { namesOf } from "./elements.ts"

const create: Handler = async (call, deps) => {
  const set = readTagBody(call.body)
  await change({ call, deps }, { set, remove: null })
  return json(tagEcho(set, deps.legacyNames))
}

const update: Handler = async (call, deps) => {
  const set = [readNamedTag(call.body, nameIn(call))]
  await change({ call, deps }, { set, remove: null })
  return noContent
}

const remove: Handler = async (call, deps) => {
  await change({ call, deps }, { set: [], remove: nameIn(call) })
  return noContent
}

async function change(
  { call, deps }: { readonly call: Call; readonly deps: RouteDeps },
  tags: { readonly set: readonly NameValue[]; readonly remove: string | null },
): Promise<void> {
  const { element, metric } = await namesOf(call, deps)
  const { tenant, nowMs } = call
  await deps.amend({ kind: "tags", tenant, element, metric, nowMs, ...tags })
}

function nameIn({ path }: Call): string {
  return path["tagName"] ?? ""
}

const nameParameter: Parameter = {
  name: "tagName",
  in: "path",
  description: "Name of the tag",
  required: true,
  example: "Weekday",
}

const body = {
  kind: "json",
  description: "Tags by name, as `serviceTag` or `netuitiveTag`; values are kept as texts",
  schema: tagBody,
  example: { netuitiveTag: { Weekday: "Saturday" } },
} as const

export const tagRoutes: readonly Route[] = [
  ...routesAt("/elements/:elementId", "an element", [elementParameter]),
  ...routesAt("/elements/:elementId/metrics/:metricId", "a metric of an element", [
    elementParameter,
    metricParameter,
  ]),
]

function routesAt(parent: string, owner: string, parameters: readonly Parameter[]): Route[] {
  const section = "Elements"
  return [
    {
      path: `${parent}/tags`,
      section,
      operations: {
        GET: {
          summary: `Tags of ${owner}`,
          access: "reader",
          parameters,
          response: {
            status: 200,
            description: "`serviceTags`, which people set, and `sourceTags`, which were posted",
            schema: tagsAnswer,
          },
          handle: queryHandler("tags"),
        },
        POST: {
          summary: `Set tags of ${owner}`,
          access: "writer",
          parameters,
          body,
          response: { status: 200, description: "What was set", schema: tagEchoAnswer },
          handle: create,
        },
      },
    },
    {
      path: `${parent}/tags/:tagName`,
      section,
      operations: {
        PUT: {
          summary: `Set the value of a tag of ${owner}`,
          access: "writer",
          parameters: [...parameters, nameParameter],
          body,
          response: noBody(204, "Set"),
          handle: update,
        },
        DELETE: {
          summary: `Remove a tag of ${owner} that somebody set`,
          access: "writer",
          parameters: [...parameters, nameParameter],
          response: noBody(204, "Removed"),
          handle: remove,
        },
      },
    },
  ]
}
