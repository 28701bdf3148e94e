/**
 * The repository of widgets: a dashboard's widgets are one range of keys, and an index by widget id
 * has the dashboard of each.
 *
 *   "widget:<tenant>"        / dashboard id "/" widget id    Widget
 *   "widgetPlace:<tenant>"   / widget id                     { dashboardId }
 */

import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentChange } from "../../model/document.ts"
import type { Widget } from "../../wire/records/dashboard-document.ts"
import type { NewWidget } from "./dashboard-mapping.ts"
import { RecordCollection, type RecordsDeps, type StoredRecord } from "../core/record-collection.ts"

interface WidgetLocation {
  readonly dashboardId: string
}

/** The character after "/" ends the range of a dashboard's widgets. */
const afterSlash = "0"

export class WidgetRepository {
  private readonly widgets: RecordCollection<Widget>
  private readonly locations: RecordCollection<WidgetLocation>

  constructor(deps: RecordsDeps) {
    // The number of widgets is limited per dashboard (dashboards.ts), not here.
    const options = { noun: "widget", ids: "uuid", countMax: Number.MAX_SAFE_INTEGER } as const
    this.widgets = new RecordCollection({ kind: "widget", ...options }, deps)
    this.locations = new RecordCollection({ kind: "widgetPlace", ...options }, deps)
  }

  /** The widgets of a dashboard in the order of their creation. */
  async listOf(tenant: TenantIndex, dashboardId: string): Promise<StoredRecord<Widget>[]> {
    const range = { from: `${dashboardId}/`, to: `${dashboardId}${afterSlash}` }
    const found = await this.widgets.list(tenant, range)
    return found.map(fromKey).sort(byPosition)
  }

  /** Throws `missing` if there is none. */
  async get(tenant: TenantIndex, id: string): Promise<StoredRecord<Widget>> {
    const { body } = await this.locations.get(tenant, id)
    const found = await this.widgets.find(tenant, `${body.dashboardId}/${id}`)
    // It may have been removed between the two reads.
    if (found === undefined) throw this.missingError(id)
    return fromKey(found)
  }

  missingError(id: string) {
    return this.locations.missingError(id)
  }

  /** New widgets as records of a dashboard. */
  onDashboard(
    made: readonly NewWidget[],
    dashboardId: string,
    nowMs: number,
  ): StoredRecord<Widget>[] {
    const times = { createdMs: nowMs, updatedMs: nowMs }
    return made.map(({ id, body }) => ({ id, ...times, body: { ...body, dashboardId } }))
  }

  insertChanges(tenant: TenantIndex, widget: StoredRecord<Widget>): DocumentChange[] {
    const location = { ...widget, body: { dashboardId: widget.body.dashboardId } }
    return [this.putChange(tenant, widget), this.locations.putChange(tenant, location)]
  }

  putChange(tenant: TenantIndex, widget: StoredRecord<Widget>): DocumentChange {
    return this.widgets.putChange(tenant, { ...widget, id: keyOf(widget) })
  }

  deleteChanges(tenant: TenantIndex, widget: StoredRecord<Widget>): DocumentChange[] {
    return [
      this.widgets.deleteChange(tenant, keyOf(widget)),
      this.locations.deleteChange(tenant, widget.id),
    ]
  }
}

function keyOf({ id, body }: StoredRecord<Widget>): string {
  return `${body.dashboardId}/${id}`
}

function fromKey(widget: StoredRecord<Widget>): StoredRecord<Widget> {
  return { ...widget, id: widget.id.slice(widget.body.dashboardId.length + 1) }
}

function byPosition(one: StoredRecord<Widget>, other: StoredRecord<Widget>): number {
  return one.createdMs - other.createdMs || one.body.position - other.body.position
}
