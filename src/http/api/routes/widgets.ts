/** Routes of widgets (spec/records §2). */

import type { StoredRecord } from "../../../records/core/record-collection.ts"
import { changedWidgetBody, newWidgetBody } from "../../../wire/records/dashboard-body.ts"
import { listOf, record } from "../../../wire/answer.ts"
import {
  widgetDocument,
  widgetRecord,
  type Widget,
} from "../../../wire/records/dashboard-document.ts"
import { readRecord, uuidOf } from "../../../wire/records/fields.ts"
import { callerOf, queryParameter, uuidParameter } from "../call-parameters.ts"
import {
  json,
  noBody,
  noContent,
  type Handler,
  type Parameter,
  type Route,
} from "../../shared/route.ts"
import { uuidValue } from "../../shared/values.ts"

const section = "Widgets"

const idParameter: Parameter = {
  name: "id",
  in: "path",
  description: "Id of the widget, a UUID",
  required: true,
  value: uuidValue,
}

const list: Handler = async (call, deps) => {
  const text = queryParameter(call, "dashboardId")
  const dashboardId = text === undefined ? undefined : uuidOf(text, "dashboardId")
  const widgets = await deps.records.dashboards.listWidgets(callerOf(call, deps), dashboardId)
  return json({ widgets: widgets.map(widgetDocument) })
}

const create: Handler = async (call, deps) => {
  const { widget } = readRecord(newWidgetBody, call.body)
  const dashboardId = uuidOf(widget.dashboardId, "widget.dashboardId")
  const { dashboards } = deps.records
  return widgetReply(await dashboards.createWidget(callerOf(call, deps), dashboardId, widget))
}

const get: Handler = async (call, deps) =>
  widgetReply(await deps.records.dashboards.getWidget(callerOf(call, deps), uuidParameter(call)))

const change: Handler = async (call, deps) => {
  const id = uuidParameter(call)
  const { widget } = readRecord(changedWidgetBody, call.body)
  return widgetReply(await deps.records.dashboards.changeWidget(callerOf(call, deps), id, widget))
}

const remove: Handler = async (call, deps) => {
  await deps.records.dashboards.removeWidget(callerOf(call, deps), uuidParameter(call))
  return noContent
}

function widgetReply(widget: StoredRecord<Widget>) {
  return json({ widget: widgetDocument(widget) })
}

const newExample = {
  widget: {
    dashboardId: "f1234ee1-a123-423a-8dbd-1d2b34e5f678",
    name: "CPU Utilization",
    widgetType: "single-metric",
    generated: "true",
    properties: {
      visualization: "time series",
      showBands: "true",
      metric_fqn: "aws.rds.cpuutilization",
      metricAgg: "avg",
      topNLimit: "5",
    },
  },
}

const changeExample = {
  widget: {
    name: "EC2 CPU",
    properties: { elementScopeAttributes: '[{"value":"us-west-2","key":"region"}]' },
  },
}

const exampleMs = Date.UTC(2026, 0, 1)
const exampleRecord = widgetDocument({
  id: "38250616-a1a7-4d2b-ab48-50ac2333ca95",
  createdMs: exampleMs,
  updatedMs: exampleMs,
  body: {
    ...newExample.widget,
    userId: 1,
    description: null,
    position: 0,
  },
})
const oneWidget = {
  status: 200,
  schema: record({ widget: widgetRecord }),
  example: { widget: exampleRecord },
}

export const widgetRoutes: readonly Route[] = [
  {
    path: "/widgets",
    section,
    operations: {
      GET: {
        summary: "The widgets of a dashboard",
        access: "reader",
        mayMiss: true,
        parameters: [
          {
            name: "dashboardId",
            in: "query",
            description: "Id of the dashboard; without it the widgets of all dashboards",
            value: uuidValue,
          },
        ],
        response: {
          status: 200,
          description: "`widgets`, oldest first",
          schema: record({ widgets: listOf(widgetRecord) }),
          example: { widgets: [exampleRecord] },
        },
        handle: list,
      },
      POST: {
        summary: "Create a widget on a dashboard",
        access: "writer",
        mayMiss: true,
        body: {
          kind: "json",
          description:
            "It shows once the dashboard's `properties.gridstackContents` names the id it gets",
          schema: newWidgetBody,
          example: newExample,
        },
        response: { ...oneWidget, description: "The widget as it was stored" },
        handle: create,
      },
    },
  },
  {
    path: "/widgets/:id",
    section,
    operations: {
      GET: {
        summary: "One widget",
        access: "reader",
        parameters: [idParameter],
        response: { ...oneWidget, description: "The widget" },
        handle: get,
      },
      PUT: {
        summary: "Change a widget",
        access: "writer",
        parameters: [idParameter],
        body: {
          kind: "json",
          description:
            "What is absent stays, properties are merged; the widget stays on its dashboard",
          schema: changedWidgetBody,
          example: changeExample,
        },
        response: { ...oneWidget, description: "The widget as it is now" },
        handle: change,
      },
      DELETE: {
        summary: "Remove a widget",
        access: "writer",
        parameters: [idParameter],
        response: noBody(204, "Done"),
        handle: remove,
      },
    },
  },
]
