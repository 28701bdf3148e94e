/**
 * Boards: dashboards and the widgets on them (spec/records §1). Everything that concerns one
 * dashboard and its widgets is changed in turn and in one transaction.
 */

import { invalid } from "../../base/errors.ts"
import { pushAll } from "../../base/many.ts"
import type { DocumentChange } from "../../model/document.ts"
import { widgetsPerDashboardMax } from "../../wire/records/dashboard-body.ts"
import type {
  DashboardFields,
  NewDashboardFields,
  WidgetFields,
} from "../../wire/records/dashboard-body.ts"
import type { Dashboard, Widget } from "../../wire/records/dashboard-document.ts"
import {
  changedDashboard,
  changedWidget,
  newDashboard,
  newWidgets,
  splitWidgets,
  type NewWidget,
  type WidgetWithType,
} from "./dashboard-mapping.ts"
import type { Caller } from "../core/caller.ts"
import { Collection, type RecordsWorld, type Stored } from "../core/record-collection.ts"
import { Turns } from "../core/keyed-mutex.ts"
import { withNewIds } from "./widget-layout.ts"
import { WidgetShelf } from "./widget-repository.ts"

/** Of one tenant; a list answers all of them. */
const dashboardsMax = 2_000
/** In the answer to a list over all dashboards: about 20 MB. */
const widgetsListedMax = 10_000

export interface Board {
  readonly dashboard: Stored<Dashboard>
  readonly widgets: readonly Stored<Widget>[]
}

export class Boards {
  private readonly world: RecordsWorld
  private readonly dashboards: Collection<Dashboard>
  private readonly shelf: WidgetShelf
  /** By dashboard. */
  private readonly turns = new Turns()

  constructor(world: RecordsWorld) {
    this.world = world
    this.dashboards = new Collection(
      { kind: "dashboard", noun: "dashboard", ids: "uuid", countMax: dashboardsMax },
      world,
    )
    this.shelf = new WidgetShelf(world)
  }

  /** Those that the caller may see, oldest first, without their widgets. */
  async list(caller: Caller): Promise<Stored<Dashboard>[]> {
    const all = await this.dashboards.list(caller.tenant)
    return all.filter((dashboard) => isVisible(dashboard, caller))
  }

  /** Throws `missing` for an id of none that the caller may see. */
  async get(caller: Caller, id: string): Promise<Board> {
    const dashboard = await this.dashboards.get(caller.tenant, id)
    if (!isVisible(dashboard, caller)) throw this.dashboards.missing(id)
    return { dashboard, widgets: await this.shelf.of(caller.tenant, id) }
  }

  /** Ids that were sent are placeholders: everything gets its own, and the layout follows. */
  create(caller: Caller, fields: NewDashboardFields): Promise<Board> {
    const { made, newIds } = this.newWidgets(caller, fields.widgets ?? [])
    const dashboard = newDashboard(caller, fields)
    const properties = withNewIds(dashboard.properties, newIds, "null")
    return this.store(caller.tenant, { ...dashboard, properties }, made)
  }

  /**
   * A dashboard of the caller's with the same content; its type is not copied (spec/records §1).
   */
  async copy(caller: Caller, id: string, name: string): Promise<Board> {
    const { dashboard, widgets } = await this.get(caller, id)
    const sent = widgets.map((widget) => ({ ...widget.body, id: widget.id }))
    const { made, newIds } = this.newWidgets(caller, sent)
    const properties = withNewIds(dashboard.body.properties, newIds, "null")
    const { email: creatorEmail, userId } = caller
    const own = { creatorEmail, userId, name, properties, type: null, variant: null }
    return this.store(caller.tenant, { ...dashboard.body, ...own }, made)
  }

  /**
   * Changes what was sent. Widgets among it that the dashboard has are changed, others are created;
   * none is removed, since the last of the three documented steps leaves out those there are.
   */
  change(caller: Caller, id: string, fields: DashboardFields): Promise<Board> {
    return this.turns.run(id, async () => {
      const { tenant } = caller
      const { dashboard, widgets } = await this.get(caller, id)
      const { changed, others } = splitWidgets(widgets, fields.widgets ?? [])
      checkWidgetCount(widgets.length + others.length)
      const { made, newIds } = this.newWidgets(caller, others)
      const body = changedDashboard(dashboard.body, fields)
      const properties = withNewIds(body.properties, newIds, "kept")
      const updatedMs = this.world.clock.nowMs()
      const stored = { ...dashboard, body: { ...body, properties }, updatedMs }
      const added = this.shelf.placed(made, id, updatedMs)
      await this.world.documents.putAll([
        this.dashboards.storing(tenant, stored),
        ...changed.map((widget) => this.shelf.storing(tenant, { ...widget, updatedMs })),
        ...added.flatMap((widget) => this.shelf.adding(tenant, widget)),
      ])
      return { dashboard: stored, widgets: await this.shelf.of(tenant, id) }
    })
  }

  /** Removes a dashboard with its widgets. */
  remove(caller: Caller, id: string): Promise<void> {
    return this.turns.run(id, async () => {
      const { tenant } = caller
      const { widgets } = await this.get(caller, id)
      const removed = widgets.flatMap((widget) => this.shelf.removing(tenant, widget))
      await this.dashboards.remove(tenant, id, () => removed)
    })
  }

  /** Of one dashboard, or of all that the caller may see. */
  async listWidgets(caller: Caller, dashboardId?: string): Promise<readonly Stored<Widget>[]> {
    if (dashboardId !== undefined) return (await this.get(caller, dashboardId)).widgets
    const found: Stored<Widget>[] = []
    for (const { id } of await this.list(caller)) {
      pushAll(found, await this.shelf.of(caller.tenant, id))
      if (found.length > widgetsListedMax) {
        throw invalid(`dashboardId: expected one, since there are over ${widgetsListedMax} widgets`)
      }
    }
    return found
  }

  /** Throws `missing` for an id of none on a dashboard that the caller may see. */
  async getWidget(caller: Caller, id: string): Promise<Stored<Widget>> {
    const widget = await this.shelf.get(caller.tenant, id)
    const dashboard = await this.dashboards.find(caller.tenant, widget.body.dashboardId)
    if (dashboard === undefined || !isVisible(dashboard, caller)) throw this.shelf.missing(id)
    return widget
  }

  /** A widget on a dashboard; it shows once the dashboard's layout names it. */
  createWidget(
    caller: Caller,
    dashboardId: string,
    fields: WidgetWithType,
  ): Promise<Stored<Widget>> {
    return this.turns.run(dashboardId, async () => {
      const { widgets } = await this.get(caller, dashboardId)
      checkWidgetCount(widgets.length + 1)
      const { made } = this.newWidgets(caller, [fields])
      const [widget] = this.shelf.placed(made, dashboardId, this.world.clock.nowMs())
      await this.world.documents.putAll(this.shelf.adding(caller.tenant, widget!))
      return widget!
    })
  }

  async changeWidget(caller: Caller, id: string, fields: WidgetFields): Promise<Stored<Widget>> {
    const { dashboardId } = (await this.getWidget(caller, id)).body
    return this.turns.run(dashboardId, async () => {
      const former = await this.getWidget(caller, id)
      const updatedMs = this.world.clock.nowMs()
      const widget = { ...former, body: changedWidget(former.body, fields), updatedMs }
      await this.world.documents.putAll([this.shelf.storing(caller.tenant, widget)])
      return widget
    })
  }

  async removeWidget(caller: Caller, id: string): Promise<void> {
    const { dashboardId } = (await this.getWidget(caller, id)).body
    await this.turns.run(dashboardId, async () => {
      const widget = await this.getWidget(caller, id)
      await this.world.documents.putAll(this.shelf.removing(caller.tenant, widget))
    })
  }

  /** Which of these dashboards there are, private ones too. */
  async find(tenant: number, ids: readonly string[]): Promise<Stored<Dashboard>[]> {
    const found = await Promise.all(ids.map((id) => this.dashboards.find(tenant, id)))
    return found.filter((one) => one !== undefined)
  }

  /** Work of somebody else on several dashboards: no other change of one of them comes between. */
  inTurns<Result>(ids: readonly string[], work: () => Promise<Result>): Promise<Result> {
    return this.turns.runAll(ids, work)
  }

  /**
   * Changes that put a dashboard with its widgets under an id that the caller chose, for a
   * transaction of somebody else. What stood there goes with its widgets, only `createdMs` stays.
   */
  async placing(caller: Caller, id: string, fields: NewDashboardFields): Promise<DocumentChange[]> {
    const { tenant } = caller
    const former = await this.dashboards.find(tenant, id)
    const { made, newIds } = this.newWidgets(caller, fields.widgets ?? [])
    const body = newDashboard(caller, fields)
    const properties = withNewIds(body.properties, newIds, "null")
    const nowMs = this.world.clock.nowMs()
    const times = { createdMs: former?.createdMs ?? nowMs, updatedMs: nowMs }
    const widgets = this.shelf.placed(made, id, nowMs)
    return [
      ...(former === undefined ? [] : await this.removing(tenant, id)),
      this.dashboards.storing(tenant, { id, ...times, body: { ...body, properties } }),
      ...widgets.flatMap((widget) => this.shelf.adding(tenant, widget)),
    ]
  }

  /** Changes that remove a dashboard with its widgets, for a transaction of somebody else. */
  async removing(tenant: number, id: string): Promise<DocumentChange[]> {
    const widgets = await this.shelf.of(tenant, id)
    const removed = widgets.flatMap((widget) => this.shelf.removing(tenant, widget))
    return [...removed, this.dashboards.removing(tenant, id)]
  }

  /** Throws `invalid` where `more` dashboards do not fit beside those that there are. */
  countForMore(tenant: number, more: number): Promise<void> {
    return this.dashboards.countForMore(tenant, more)
  }

  /** A transaction of somebody else made so many more dashboards. */
  count(tenant: number, more: number): void {
    this.dashboards.count(tenant, more)
  }

  private newWidgets(caller: Caller, sent: readonly WidgetWithType[]) {
    return newWidgets(caller, sent, () => this.world.random.uuid())
  }

  private async store(tenant: number, body: Dashboard, made: readonly NewWidget[]): Promise<Board> {
    let widgets: Stored<Widget>[] = []
    const dashboard = await this.dashboards.create(tenant, body, ([stored]) => {
      widgets = this.shelf.placed(made, stored!.id, stored!.createdMs)
      return widgets.flatMap((widget) => this.shelf.adding(tenant, widget))
    })
    return { dashboard, widgets }
  }
}

/** A private dashboard is seen by who made it, and by administrators. */
function isVisible({ body }: Stored<Dashboard>, caller: Caller): boolean {
  return !body.private || caller.isAdministrator || body.creatorEmail === caller.email
}

function checkWidgetCount(count: number): void {
  if (count > widgetsPerDashboardMax) {
    throw invalid(`Expected at most ${widgetsPerDashboardMax} widgets on one dashboard`)
  }
}
