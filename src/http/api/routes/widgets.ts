/** Routes of widgets (spec/records §2). */

import { changedWidgetBody, newWidgetBody } from "../../../wire/records/dashboard-body.ts"
import { widgetDocument, widgetRecord } from "../../../wire/records/dashboard-document.ts"
import { readRecord, uuidOf } from "../../../wire/records/fields.ts"
import { callerOf, readParameter, readUuid } from "../call-parameters.ts"
import { resourceRoutes } from "../resource.ts"
import { pathParameter, queryParameter, uuidValue } from "../../shared/parameters.ts"
import { jsonBody, type Route } from "../../shared/route.ts"

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

export const widgetRoutes: readonly Route[] = resourceRoutes({
  path: "/widgets",
  section: "Widgets",
  id: pathParameter("id", "Id of the widget, a UUID", { value: uuidValue }),
  names: ["widget", "widgets"],
  schema: widgetRecord,
  example: exampleRecord,
  list: {
    summary: "The widgets of a dashboard",
    mayMiss: true,
    parameters: [
      queryParameter(
        "dashboardId",
        "Id of the dashboard; without it the widgets of all dashboards",
        { value: uuidValue },
      ),
    ],
    returns: "`widgets`, oldest first",
    run: async (call, deps) => {
      const text = readParameter(call, "dashboardId")
      const dashboardId = text === undefined ? undefined : uuidOf(text, "dashboardId")
      const { dashboards } = deps.records
      const widgets = await dashboards.listWidgets(callerOf(call, deps), dashboardId)
      return widgets.map(widgetDocument)
    },
  },
  create: {
    summary: "Create a widget on a dashboard",
    mayMiss: true,
    body: jsonBody(
      "It shows once the dashboard's `properties.gridstackContents` names the id it gets",
      newWidgetBody,
      newExample,
    ),
    returns: "The widget as it was stored",
    run: async (call, deps) => {
      const { widget } = readRecord(newWidgetBody, call.body)
      const dashboardId = uuidOf(widget.dashboardId, "widget.dashboardId")
      const { dashboards } = deps.records
      return widgetDocument(
        await dashboards.createWidget(callerOf(call, deps), dashboardId, widget),
      )
    },
  },
  get: {
    summary: "One widget",
    returns: "The widget",
    run: async (call, deps) => {
      const { dashboards } = deps.records
      return widgetDocument(await dashboards.getWidget(callerOf(call, deps), readUuid(call)))
    },
  },
  change: {
    summary: "Change a widget",
    body: jsonBody(
      "What is absent stays, properties are merged; the widget stays on its dashboard",
      changedWidgetBody,
      changeExample,
    ),
    returns: "The widget as it is now",
    run: async (call, deps) => {
      const id = readUuid(call)
      const { widget } = readRecord(changedWidgetBody, call.body)
      const { dashboards } = deps.records
      return widgetDocument(await dashboards.changeWidget(callerOf(call, deps), id, widget))
    },
  },
  remove: {
    summary: "Remove a widget",
    returns: "Done",
    run: (call, deps) => deps.records.dashboards.removeWidget(callerOf(call, deps), readUuid(call)),
  },
})
