/** Maps dashboards and widgets of requests to the stored ones. Pure. */

import { invalid } from "../../base/errors.ts"
import type {
  DashboardFields,
  NewDashboardFields,
  WidgetFields,
} from "../../wire/records/dashboard-body.ts"
import type { Dashboard, Widget } from "../../wire/records/dashboard-document.ts"
import { shown } from "../../wire/problems.ts"
import type { Caller } from "../core/caller.ts"
import type { StoredRecord } from "../core/record-collection.ts"

/** A widget without its dashboard. */
export interface NewWidget {
  readonly id: string
  readonly body: Omit<Widget, "dashboardId">
}

export type WidgetWithType = WidgetFields & { readonly widgetType: string }

export function newDashboard(caller: Caller, fields: NewDashboardFields): Dashboard {
  return {
    userId: caller.userId,
    creatorEmail: caller.email,
    name: fields.name,
    description: fields.description ?? null,
    layout: fields.layout ?? null,
    properties: fields.properties ?? {},
    type: fields.type ?? "DEFAULT",
    variant: fields.variant ?? null,
    private: fields.private ?? false,
  }
}

/** Absent fields stay; null clears nullable fields; properties are merged. */
export function updatedDashboard(former: Dashboard, fields: DashboardFields): Dashboard {
  return {
    ...former,
    name: fields.name ?? former.name,
    description: sentOr(fields.description, former.description),
    layout: sentOr(fields.layout, former.layout),
    properties: { ...former.properties, ...fields.properties },
    type: sentOr(fields.type, former.type),
    variant: sentOr(fields.variant, former.variant),
    private: fields.private ?? former.private,
  }
}

export function updatedWidget(former: Widget, fields: WidgetFields): Widget {
  return {
    ...former,
    name: sentOr(fields.name, former.name),
    description: sentOr(fields.description, former.description),
    widgetType: fields.widgetType ?? former.widgetType,
    properties: { ...former.properties, ...fields.properties },
  }
}

/** Creates widgets with new ids; `newIds` maps the ids in the request to them. */
export function newWidgets(
  caller: Caller,
  sent: readonly WidgetWithType[],
  newId: () => string,
): { made: NewWidget[]; newIds: Map<string, string> } {
  const newIds = new Map<string, string>()
  const made = sent.map((fields, position) => {
    const id = newId()
    if (fields.id != null) {
      if (newIds.has(fields.id)) throw duplicateId(fields.id)
      newIds.set(fields.id, id)
    }
    return { id, body: newWidget(caller, fields, position) }
  })
  return { made, newIds }
}

function newWidget(
  caller: Caller,
  fields: WidgetWithType,
  position: number,
): Omit<Widget, "dashboardId"> {
  return {
    userId: caller.userId,
    name: fields.name ?? null,
    description: fields.description ?? null,
    widgetType: fields.widgetType,
    properties: fields.properties ?? {},
    position,
  }
}

/** Splits the widgets of a change into existing ones, with their changes applied, and new ones. */
export function splitWidgets(
  there: readonly StoredRecord<Widget>[],
  sent: readonly WidgetFields[],
): { changed: StoredRecord<Widget>[]; others: WidgetWithType[] } {
  const byId = new Map(there.map((widget) => [widget.id, widget]))
  const changed: StoredRecord<Widget>[] = []
  const others: WidgetWithType[] = []
  sent.forEach((fields, i) => {
    const former = byId.get(fields.id?.toLowerCase() ?? "")
    if (former !== undefined) {
      changed.push({ ...former, body: updatedWidget(former.body, fields) })
    } else if (fields.widgetType != null) {
      others.push({ ...fields, widgetType: fields.widgetType })
    } else {
      throw invalid(`dashboard.widgets[${i}].widgetType: expected a text for a new widget`)
    }
  })
  const ids = changed.map(({ id }) => id)
  const twice = ids.find((id, i) => ids.indexOf(id) !== i)
  if (twice !== undefined) throw duplicateId(twice)
  return { changed, others }
}

function duplicateId(id: string) {
  return invalid(`dashboard.widgets: expected ids that differ, got ${shown(id)} twice`)
}

function sentOr(sent: string | null | undefined, former: string | null): string | null {
  return sent === undefined ? former : sent
}
