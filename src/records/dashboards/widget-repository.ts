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
import { Collection, type RecordsWorld, type Stored } from "../core/record-collection.ts"

interface Place {
  readonly dashboardId: string
}

/** The character after the slash: ids of a dashboard's widgets lie between the two. */
const afterSlash = "0"

export class WidgetShelf {
  private readonly widgets: Collection<Widget>
  private readonly places: Collection<Place>

  constructor(world: RecordsWorld) {
    // How many there may be is judged by dashboard (boards.ts), so none is too many here.
    const options = { noun: "widget", ids: "uuid", countMax: Number.MAX_SAFE_INTEGER } as const
    this.widgets = new Collection({ kind: "widget", ...options }, world)
    this.places = new Collection({ kind: "widgetPlace", ...options }, world)
  }

  /** In the order in which they were made. */
  async of(tenant: number, dashboardId: string): Promise<Stored<Widget>[]> {
    const range = { from: `${dashboardId}/`, to: `${dashboardId}${afterSlash}` }
    const found = await this.widgets.list(tenant, range)
    return found.map(fromKey).sort(byPosition)
  }

  /** Throws `missing` where there is none. */
  async get(tenant: number, id: string): Promise<Stored<Widget>> {
    const { body } = await this.places.get(tenant, id)
    const found = await this.widgets.find(tenant, `${body.dashboardId}/${id}`)
    // Between the two reads it may have been removed.
    if (found === undefined) throw this.missing(id)
    return fromKey(found)
  }

  missing(id: string) {
    return this.places.missing(id)
  }

  /** New widgets as they are once they are on a dashboard. */
  placed(made: readonly NewWidget[], dashboardId: string, nowMs: number): Stored<Widget>[] {
    const times = { createdMs: nowMs, updatedMs: nowMs }
    return made.map(({ id, body }) => ({ id, ...times, body: { ...body, dashboardId } }))
  }

  adding(tenant: number, widget: Stored<Widget>): DocumentChange[] {
    const place = { ...widget, body: { dashboardId: widget.body.dashboardId } }
    return [this.storing(tenant, widget), this.places.storing(tenant, place)]
  }

  storing(tenant: number, widget: Stored<Widget>): DocumentChange {
    return this.widgets.storing(tenant, { ...widget, id: keyOf(widget) })
  }

  removing(tenant: number, widget: Stored<Widget>): DocumentChange[] {
    return [this.widgets.removing(tenant, keyOf(widget)), this.places.removing(tenant, widget.id)]
  }
}

function keyOf({ id, body }: Stored<Widget>): string {
  return `${body.dashboardId}/${id}`
}

function fromKey(widget: Stored<Widget>): Stored<Widget> {
  return { ...widget, id: widget.id.slice(widget.body.dashboardId.length + 1) }
}

function byPosition(one: Stored<Widget>, other: Stored<Widget>): number {
  return one.createdMs - other.createdMs || one.body.position - other.body.position
}
