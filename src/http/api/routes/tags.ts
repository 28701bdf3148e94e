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
import { namesOf } from "./elements.ts"
import { pathParameter } from "../../shared/parameters.ts"
import {
  json,
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

const nameParameter: Parameter = pathParameter("tagName", "Name of the tag", { example: "Weekday" })

const body = jsonBody(
  "Tags by name, as `serviceTag` or `netuitiveTag`; values are kept as texts",
  tagBody,
  { netuitiveTag: { Weekday: "Saturday" } },
)

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
    route(section, `${parent}/tags`, {
      GET: {
        summary: `Tags of ${owner}`,
        access: "reader",
        parameters,
        response: ok(
          "`serviceTags`, which people set, and `sourceTags`, which were posted",
          tagsAnswer,
        ),
        handle: queryHandler("tags"),
      },
      POST: {
        summary: `Set tags of ${owner}`,
        access: "writer",
        parameters,
        body,
        response: ok("What was set", tagEchoAnswer),
        handle: create,
      },
    }),
    route(section, `${parent}/tags/:tagName`, {
      PUT: {
        summary: `Set the value of a tag of ${owner}`,
        access: "writer",
        parameters: [...parameters, nameParameter],
        body,
        response: noBody(204, "Set"),
        handle: update,
      },
      DELETE: {
        summary: `Remove a tag of ${owner} that a person set`,
        access: "writer",
        parameters: [...parameters, nameParameter],
        response: noBody(204, "Removed"),
        handle: remove,
      },
    }),
  ]
}
