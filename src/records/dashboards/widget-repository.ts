/**
 * Widgets as they lie in the store: those of a dashboard together, and a place for each, by which
 * its dashboard is found.
 *
 *   "widget:<tenant>"        / dashboard id "/" widget id    Widget
 *   "widgetPlace:<tenant>"   / widget id                     { dashboardId }
 */

import type { DocumentChange } from "../../model/document.ts"
import type { Widget } from "../../wire/records/dashboard-document.ts"
import type { NewWidget } from "./dashboard-mapping.ts"
import { RecordCollection, type RecordsDeps, type StoredRecord } from "../core/record-collection.ts"

interface WidgetLocation {
  readonly dashboardId: string
}

/** The character after the slash: ids of a dashboard's widgets lie between the two. */
const afterSlash = "0"

export class WidgetRepository {
  private readonly widgets: RecordCollection<Widget>
  private readonly locations: RecordCollection<WidgetLocation>

  constructor(world: RecordsDeps) {
    // How many there may be is judged by dashboard (boards.ts), so none is too many here.
    const options = { noun: "widget", ids: "uuid", countMax: Number.MAX_SAFE_INTEGER } as const
    this.widgets = new RecordCollection({ kind: "widget", ...options }, world)
    this.locations = new RecordCollection({ kind: "widgetPlace", ...options }, world)
  }

  /** In the order in which they were made. */
  async listOf(tenant: number, dashboardId: string): Promise<StoredRecord<Widget>[]> {
    const range = { from: `${dashboardId}/`, to: `${dashboardId}${afterSlash}` }
    const found = await this.widgets.list(tenant, range)
    return found.map(fromKey).sort(byPosition)
  }

  /** Throws `missing` where there is none. */
  async get(tenant: number, id: string): Promise<StoredRecord<Widget>> {
    const { body } = await this.locations.get(tenant, id)
    const found = await this.widgets.find(tenant, `${body.dashboardId}/${id}`)
    // Between the two reads it may have been removed.
    if (found === undefined) throw this.missingError(id)
    return fromKey(found)
  }

  missingError(id: string) {
    return this.locations.missingError(id)
  }

  /** New widgets as they are once they are on a dashboard. */
  onDashboard(
    made: readonly NewWidget[],
    dashboardId: string,
    nowMs: number,
  ): StoredRecord<Widget>[] {
    const times = { createdMs: nowMs, updatedMs: nowMs }
    return made.map(({ id, body }) => ({ id, ...times, body: { ...body, dashboardId } }))
  }

  insertChanges(tenant: number, widget: StoredRecord<Widget>): DocumentChange[] {
    const place = { ...widget, body: { dashboardId: widget.body.dashboardId } }
    return [this.putChange(tenant, widget), this.locations.putChange(tenant, place)]
  }

  putChange(tenant: number, widget: StoredRecord<Widget>): DocumentChange {
    return this.widgets.putChange(tenant, { ...widget, id: keyOf(widget) })
  }

  deleteChanges(tenant: number, widget: StoredRecord<Widget>): DocumentChange[] {
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
