/**
 * Bodies of dashboards and widgets (spec/records §1, spec/records §2). An absent field leaves its
 * value unchanged.
 */

import * as v from "valibot"
import { booleanValue, objectValue } from "../body.ts"
import { anyAsText, nonEmptyText, propertiesValue, shortText } from "./fields.ts"

/** Of one dashboard: more than a screen, or ten, can show. */
export const widgetsPerDashboardMax = 200

/** Any text; only ids used in the layout have a meaning. */
const placeholderId = v.nullish(shortText)

/** Fields of the records, which clients send back. */
const widgetAlsoSent = ["dashboardId", "userId", "created", "updated", "generated"]
const dashboardAlsoSent = ["id", "userId", "creatorEmail", "created", "updated"]

const widgetFields = {
  id: placeholderId,
  name: v.nullish(shortText),
  description: v.nullish(shortText),
  widgetType: v.nullish(nonEmptyText),
  properties: v.nullish(propertiesValue),
}

const dashboardFields = {
  name: v.nullish(nonEmptyText),
  description: v.nullish(shortText),
  layout: v.nullish(anyAsText),
  widgets: v.nullish(
    v.pipe(
      v.array(objectValue(widgetFields, widgetAlsoSent)),
      v.maxLength(widgetsPerDashboardMax, `at most ${widgetsPerDashboardMax} widgets`),
    ),
  ),
  properties: v.nullish(propertiesValue),
  type: v.nullish(shortText),
  variant: v.nullish(shortText),
  private: v.nullish(booleanValue),
}

/** A new dashboard needs a name; every widget in it a type. */
export const newDashboardBody = objectValue({
  dashboard: objectValue(
    {
      ...dashboardFields,
      name: nonEmptyText,
      widgets: v.nullish(
        v.pipe(
          v.array(objectValue({ ...widgetFields, widgetType: nonEmptyText }, widgetAlsoSent)),
          v.maxLength(widgetsPerDashboardMax, `at most ${widgetsPerDashboardMax} widgets`),
        ),
      ),
    },
    dashboardAlsoSent,
  ),
})

export const changedDashboardBody = objectValue({
  dashboard: objectValue(dashboardFields, dashboardAlsoSent),
})

export const dashboardCopyBody = objectValue({ name: nonEmptyText })

export const newWidgetBody = objectValue({
  widget: objectValue(
    { ...widgetFields, dashboardId: nonEmptyText, widgetType: nonEmptyText },
    widgetAlsoSent,
  ),
})

export const changedWidgetBody = objectValue({
  widget: objectValue({ ...widgetFields, dashboardId: v.nullish(shortText) }, widgetAlsoSent),
})

export type DashboardFields = v.InferOutput<typeof changedDashboardBody>["dashboard"]
export type NewDashboardFields = v.InferOutput<typeof newDashboardBody>["dashboard"]
export type WidgetFields = v.InferOutput<typeof changedWidgetBody>["widget"]
