/** Routes of saved views (spec/search §5). Every user has views; sharing one is a change. */

import type { ViewCaller } from "../../../../records/dashboards/saved-views.ts"
import { readRecord } from "../../../../wire/records/fields.ts"
import {
  changedViewBody,
  newViewBody,
  viewDocument,
  viewRecord,
} from "../../../../wire/search/saved-view.ts"
import { callerOf, readUuid, viewerOf } from "../../call-parameters.ts"
import { resourceRoutes } from "../../resource.ts"
import { pathParameter, uuidValue } from "../../../shared/parameters.ts"
import { jsonBody, type Call, type Route, type RouteDeps } from "../../../shared/route.ts"

const view = { name: "Servers of the shop", page: "inventory", query: "f=type%3ASERVER" }
const exampleMs = Date.UTC(2026, 0, 1)
const example = viewDocument({
  id: "8f4c1a52-5d0e-4d6f-9a52-7f2a7c1f9be0",
  createdMs: exampleMs,
  updatedMs: exampleMs,
  body: { creatorEmail: "admin@example.org", ...view, shared: true },
})

function viewCallerOf(call: Call, deps: RouteDeps): ViewCaller {
  return { ...callerOf(call, deps), mayShare: viewerOf(call) === "writer" }
}

export const viewRoutes: readonly Route[] = resourceRoutes({
  path: "/views",
  section: "Saved views",
  id: pathParameter("id", "Id of the view, a UUID", { value: uuidValue }),
  names: ["view", "views"],
  schema: viewRecord,
  example,
  list: {
    summary: "The user's own views and those that others share",
    returns: "`views`, by name",
    run: async (call, deps) => {
      return (await deps.records.views.list(callerOf(call, deps))).map(viewDocument)
    },
  },
  create: {
    summary: "Save a page with its parameters under a name",
    access: "reader",
    body: jsonBody("Read Only users save views that are not shared", newViewBody, {
      view: { ...view, shared: false },
    }),
    returns: "The view as it was stored",
    run: async (call, deps) => {
      const { view: fields } = readRecord(newViewBody, call.body)
      return viewDocument(await deps.records.views.create(viewCallerOf(call, deps), fields))
    },
  },
  get: {
    summary: "One view",
    returns: "The view",
    run: async (call, deps) =>
      viewDocument(await deps.records.views.get(callerOf(call, deps), readUuid(call))),
  },
  change: {
    summary: "Change a view: one's own, or as an administrator a shared one",
    access: "reader",
    body: jsonBody("What is absent stays", changedViewBody, { view: { name: "Shop" } }),
    returns: "The view as it is now",
    run: async (call, deps) => {
      const id = readUuid(call)
      const { view: fields } = readRecord(changedViewBody, call.body)
      return viewDocument(await deps.records.views.change(viewCallerOf(call, deps), id, fields))
    },
  },
  remove: {
    summary: "Remove a view: one's own, or as an administrator a shared one",
    access: "reader",
    returns: "Done",
    run: (call, deps) => deps.records.views.remove(viewCallerOf(call, deps), readUuid(call)),
  },
})
