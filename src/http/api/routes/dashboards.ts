/** Routes of dashboards and widgets (spec/records §1, spec/records §2). */

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
import { callerOf, uuidParameter } from "../call-parameters.ts"
import {
  json,
  noBody,
  noContent,
  type Handler,
  type Parameter,
  type Route,
} from "../../shared/route.ts"
import { uuidValue } from "../../shared/values.ts"

const section = "Dashboards"

const idParameter: Parameter = {
  name: "id",
  in: "path",
  description: "Id of the dashboard, a UUID",
  required: true,
  value: uuidValue,
}

const list: Handler = async (call, deps) => {
  const dashboards = await deps.records.dashboards.list(callerOf(call, deps))
  return json({ dashboards: dashboards.map((dashboard) => dashboardDocument(dashboard, [])) })
}

const create: Handler = async (call, deps) => {
  const { dashboard } = readRecord(newDashboardBody, call.body)
  return dashboardReply(await deps.records.dashboards.create(callerOf(call, deps), dashboard))
}

const get: Handler = async (call, deps) =>
  dashboardReply(await deps.records.dashboards.get(callerOf(call, deps), uuidParameter(call)))

const change: Handler = async (call, deps) => {
  const id = uuidParameter(call)
  const { dashboard } = readRecord(changedDashboardBody, call.body)
  await deps.records.dashboards.change(callerOf(call, deps), id, dashboard)
  return noContent
}

const remove: Handler = async (call, deps) => {
  await deps.records.dashboards.remove(callerOf(call, deps), uuidParameter(call))
  return noContent
}

const copy: Handler = async (call, deps) => {
  const id = uuidParameter(call)
  const { name } = readRecord(dashboardCopyBody, call.body)
  return dashboardReply(await deps.records.dashboards.copy(callerOf(call, deps), id, name))
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

function dashboardReply({ dashboard, widgets }: DashboardWithWidgets) {
  return json({ dashboard: dashboardDocument(dashboard, widgets) })
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
const oneDashboard = {
  status: 200,
  schema: record({ dashboard: dashboardRecord }),
  example: { dashboard: exampleRecord },
}

export const dashboardRoutes: readonly Route[] = [
  {
    path: "/dashboards",
    section,
    operations: {
      GET: {
        summary: "All dashboards, without their widgets",
        access: "reader",
        response: {
          status: 200,
          description: "`dashboards`, oldest first",
          schema: record({ dashboards: listOf(dashboardRecord) }),
          example: { dashboards: [exampleRecord] },
        },
        handle: list,
      },
      POST: {
        summary: "Create a dashboard, with widgets if any are sent",
        access: "writer",
        body: {
          kind: "json",
          description:
            "Ids of widgets are placeholders: all get ids of their own, and the ids in " +
            "`properties.gridstackContents` follow",
          schema: newDashboardBody,
          example: threeStepExample,
        },
        response: { ...oneDashboard, description: "The dashboard as it was stored" },
        handle: create,
      },
    },
  },
  {
    path: "/dashboards/elementtype",
    section,
    operations: {
      GET: {
        summary: "Dashboards of element types, without their widgets",
        access: "reader",
        response: {
          status: 200,
          description: "`elementTypeDashboards`; each id is a type",
          schema: record({ elementTypeDashboards: listOf(typeDashboardRecord) }),
        },
        handle: listByElementType,
      },
    },
  },
  byElementType("/dashboards/dashboardtype/:type"),
  byElementType("/dashboards/elementtype/:type"),
  {
    path: "/dashboards/:id",
    section,
    operations: {
      GET: {
        summary: "One dashboard with its widgets",
        access: "reader",
        parameters: [idParameter],
        response: { ...oneDashboard, description: "The dashboard" },
        handle: get,
      },
      PUT: {
        summary: "Change a dashboard",
        access: "writer",
        parameters: [idParameter],
        body: {
          kind: "json",
          description:
            "What is absent stays, properties are merged. Widgets that the dashboard has are " +
            "changed, others created; none is removed",
          schema: changedDashboardBody,
          example: changeExample,
        },
        response: noBody(204, "Done"),
        handle: change,
      },
      DELETE: {
        summary: "Remove a dashboard with its widgets",
        access: "writer",
        parameters: [idParameter],
        response: noBody(204, "Done"),
        handle: remove,
      },
    },
  },
  {
    path: "/dashboards/:id/copy",
    section,
    operations: {
      POST: {
        summary: "Copy a dashboard with its widgets",
        access: "writer",
        parameters: [idParameter],
        body: {
          kind: "json",
          description: "The name of the copy",
          schema: dashboardCopyBody,
          example: { name: "Cloned Dashboard" },
        },
        response: { ...oneDashboard, description: "The copy" },
        handle: copy,
      },
    },
  },
]

function byElementType(path: string): Route {
  return {
    path,
    section,
    operations: {
      GET: {
        summary: "The dashboard of an element type, with its widgets",
        access: "reader",
        parameters: [
          {
            name: "type",
            in: "path",
            description: "An element type in any case, with a variant after a hyphen if wanted",
            required: true,
            example: "SERVER-SIMPLE",
          },
        ],
        response: {
          status: 200,
          description: "The dashboard; its id is the type",
          schema: record({ elementTypeDashboard: typeDashboardRecord }),
        },
        handle: getByElementType,
      },
    },
  }
}
