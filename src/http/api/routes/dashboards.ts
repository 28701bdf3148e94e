/** Routes of dashboards (spec/records §1). */

import { ServiceError } from "../../../base/errors.ts"
import type { DashboardWithWidgets } from "../../../records/dashboards/dashboards.ts"
import {
  elementTypeDashboard,
  elementTypeDashboards,
} from "../../../records/dashboards/element-type-dashboards.ts"
import { listOf, record } from "../../../wire/answer.ts"
import { shown } from "../../../wire/problems.ts"
import {
  changedDashboardBody,
  dashboardCopyBody,
  newDashboardBody,
} from "../../../wire/records/dashboard-body.ts"
import {
  dashboardDocument,
  dashboardRecord,
  typeDashboardRecord,
} from "../../../wire/records/dashboard-document.ts"
import { readRecord } from "../../../wire/records/fields.ts"
import { callerOf, readUuid } from "../call-parameters.ts"
import { resourceRoutes } from "../resource.ts"
import { pathParameter, uuidValue } from "../../shared/parameters.ts"
import { json, jsonBody, noBody, noContent, ok, route } from "../../shared/route.ts"
import type { Handler, Route } from "../../shared/route.ts"

const section = "Dashboards"

const id = pathParameter("id", "Id of the dashboard, a UUID", { value: uuidValue })

const change: Handler = async (call, deps) => {
  const id = readUuid(call)
  const { dashboard } = readRecord(changedDashboardBody, call.body)
  await deps.records.dashboards.change(callerOf(call, deps), id, dashboard)
  return noContent
}

const copy: Handler = async (call, deps) => {
  const id = readUuid(call)
  const { name } = readRecord(dashboardCopyBody, call.body)
  const copied = await deps.records.dashboards.copy(callerOf(call, deps), id, name)
  return json({ dashboard: documentOf(copied) })
}

const listByElementType: Handler = async (call, deps) => {
  const byId = elementTypeDashboards(await deps.records.dashboards.list(callerOf(call, deps)))
  const elementTypeDashboardList = [...byId].map(([id, dashboard]) => ({
    ...dashboardDocument(dashboard, []),
    id,
  }))
  return json({ elementTypeDashboards: elementTypeDashboardList })
}

const getByElementType: Handler = async (call, deps) => {
  const caller = callerOf(call, deps)
  const type = call.path["type"] ?? ""
  const { dashboards } = deps.records
  const found = elementTypeDashboard(await dashboards.list(caller), type)
  if (found === undefined) {
    const expected = "Expected an element type that has a dashboard"
    throw new ServiceError("missing", `${expected}, got ${shown(type)}`)
  }
  const { dashboard, widgets } = await dashboards.get(caller, found.dashboard.id)
  return json({ elementTypeDashboard: { ...dashboardDocument(dashboard, widgets), id: found.id } })
}

function documentOf({ dashboard, widgets }: DashboardWithWidgets) {
  return dashboardDocument(dashboard, widgets)
}

const threeStepExample = { dashboard: { name: "API Test Board" } }

const changeExample = {
  dashboard: {
    name: "API Test Board",
    properties: { timeRangeDuration: 3600, refreshIntervalSeconds: 300, wrap: true },
  },
}

const exampleMs = Date.UTC(2026, 0, 1)
const exampleTimes = { createdMs: exampleMs, updatedMs: exampleMs }
const exampleRecord = dashboardDocument(
  {
    id: "ff6d185e-3f40-4872-a13e-ae0b8bb7e599",
    ...exampleTimes,
    body: {
      userId: 1,
      creatorEmail: "admin@example.org",
      name: "API Test Board",
      description: null,
      layout: null,
      properties: { timeRangeDuration: "3600", refreshIntervalSeconds: "300", wrap: "true" },
      type: "DEFAULT",
      variant: null,
      private: false,
    },
  },
  [],
)
const [listRoute, recordRoute] = resourceRoutes({
  path: "/dashboards",
  section,
  id,
  names: ["dashboard", "dashboards"],
  schema: dashboardRecord,
  example: exampleRecord,
  list: {
    summary: "All dashboards, without their widgets",
    returns: "`dashboards`, oldest first",
    run: async (call, deps) => {
      const found = await deps.records.dashboards.list(callerOf(call, deps))
      return found.map((dashboard) => dashboardDocument(dashboard, []))
    },
  },
  create: {
    summary: "Create a dashboard, with widgets if any are sent",
    body: jsonBody(
      "Ids of widgets are placeholders: all get ids of their own, and the ids in " +
        "`properties.gridstackContents` follow",
      newDashboardBody,
      threeStepExample,
    ),
    returns: "The dashboard as it was stored",
    run: async (call, deps) => {
      const { dashboard } = readRecord(newDashboardBody, call.body)
      return documentOf(await deps.records.dashboards.create(callerOf(call, deps), dashboard))
    },
  },
  get: {
    summary: "One dashboard with its widgets",
    returns: "The dashboard",
    run: async (call, deps) =>
      documentOf(await deps.records.dashboards.get(callerOf(call, deps), readUuid(call))),
  },
  ofRecord: {
    PUT: {
      summary: "Change a dashboard",
      access: "writer",
      parameters: [id],
      body: jsonBody(
        "What is absent stays, properties are merged. Widgets that the dashboard has are " +
          "changed, others created; none is removed",
        changedDashboardBody,
        changeExample,
      ),
      response: noBody(204, "Done"),
      handle: change,
    },
  },
  remove: {
    summary: "Remove a dashboard with its widgets",
    returns: "Done",
    run: (call, deps) => deps.records.dashboards.remove(callerOf(call, deps), readUuid(call)),
  },
})

export const dashboardRoutes: readonly Route[] = [
  listRoute,
  route(section, "/dashboards/elementtype", {
    GET: {
      summary: "Dashboards of element types, without their widgets",
      access: "reader",
      response: ok(
        "`elementTypeDashboards`; each id is a type",
        record({ elementTypeDashboards: listOf(typeDashboardRecord) }),
      ),
      handle: listByElementType,
    },
  }),
  byElementType("/dashboards/dashboardtype/:type"),
  byElementType("/dashboards/elementtype/:type"),
  recordRoute,
  route(section, "/dashboards/:id/copy", {
    POST: {
      summary: "Copy a dashboard with its widgets",
      access: "writer",
      parameters: [id],
      body: jsonBody("The name of the copy", dashboardCopyBody, { name: "Cloned Dashboard" }),
      response: ok("The copy", record({ dashboard: dashboardRecord }), {
        dashboard: exampleRecord,
      }),
      handle: copy,
    },
  }),
]

function byElementType(path: string): Route {
  const type = "An element type in any case, with a variant after a hyphen if wanted"
  return route(section, path, {
    GET: {
      summary: "The dashboard of an element type, with its widgets",
      access: "reader",
      parameters: [pathParameter("type", type, { example: "SERVER-SIMPLE" })],
      response: ok(
        "The dashboard; its id is the type",
        record({ elementTypeDashboard: typeDashboardRecord }),
      ),
      handle: getByElementType,
    },
  })
}
