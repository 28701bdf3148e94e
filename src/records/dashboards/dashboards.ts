/**
 * The repository of dashboards and their widgets (spec/records §1). Changes of one dashboard and
 * its widgets run one at a time, each in one transaction.
 */

import { invalid } from "../../base/errors.ts"
import { pushAll } from "../../base/iterables.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentChange } from "../../model/document.ts"
import { widgetsPerDashboardMax } from "../../wire/records/dashboard-body.ts"
import type {
  DashboardFields,
  NewDashboardFields,
  WidgetFields,
} from "../../wire/records/dashboard-body.ts"
import type { Dashboard, Widget } from "../../wire/records/dashboard-document.ts"
import {
  updatedDashboard,
  updatedWidget,
  newDashboard,
  newWidgets,
  splitWidgets,
  type NewWidget,
  type WidgetWithType,
} from "./dashboard-mapping.ts"
import type { Caller } from "../core/caller.ts"
import { RecordCollection, type RecordsDeps, type StoredRecord } from "../core/record-collection.ts"
import { createRecordMutex } from "../core/record-mutex.ts"
import { withRemappedIds } from "./widget-layout.ts"
import { WidgetRepository } from "./widget-repository.ts"

/** Limit per tenant; a list returns all of them. */
const dashboardsMax = 2_000
/** Limit of a list over all dashboards: about 20 MB. */
const widgetsListedMax = 10_000

export interface DashboardWithWidgets {
  readonly dashboard: StoredRecord<Dashboard>
  readonly widgets: readonly StoredRecord<Widget>[]
}

export class Dashboards {
  private readonly deps: RecordsDeps
  private readonly collection: RecordCollection<Dashboard>
  private readonly widgets: WidgetRepository
  /** By dashboard. */
  private readonly mutex = createRecordMutex()

  constructor(deps: RecordsDeps) {
    this.deps = deps
    this.collection = new RecordCollection(
      { kind: "dashboard", noun: "dashboard", ids: "uuid", countMax: dashboardsMax },
      deps,
    )
    this.widgets = new WidgetRepository(deps)
  }

  /** The dashboards visible to the caller, oldest first, without their widgets. */
  async list(caller: Caller): Promise<StoredRecord<Dashboard>[]> {
    const all = await this.collection.list(caller.tenant)
    return all.filter((dashboard) => isDashboardVisible(dashboard.body, caller))
  }

  /** All dashboards of a tenant, of which callers see a part (`isDashboardVisible`). */
  all(tenant: TenantIndex): Promise<StoredRecord<Dashboard>[]> {
    return this.collection.list(tenant)
  }

  /** Throws `missing` if there is none or it is not visible to the caller. */
  async get(caller: Caller, id: string): Promise<DashboardWithWidgets> {
    const dashboard = await this.collection.get(caller.tenant, id)
    if (!isDashboardVisible(dashboard.body, caller)) throw this.collection.missingError(id)
    return { dashboard, widgets: await this.widgets.listOf(caller.tenant, id) }
  }

  /** Creates a dashboard. Ids in the request are placeholders, replaced in the layout, too. */
  create(caller: Caller, fields: NewDashboardFields): Promise<DashboardWithWidgets> {
    const { made, newIds } = this.newWidgets(caller, fields.widgets ?? [])
    const dashboard = newDashboard(caller, fields)
    const properties = withRemappedIds(dashboard.properties, newIds, "null")
    return this.createWithWidgets(caller.tenant, { ...dashboard, properties }, made)
  }

  /** Creates a copy that the caller owns; the type is not copied (spec/records §1). */
  async copy(caller: Caller, id: string, name: string): Promise<DashboardWithWidgets> {
    const { dashboard, widgets } = await this.get(caller, id)
    const sent = widgets.map((widget) => ({ ...widget.body, id: widget.id }))
    const { made, newIds } = this.newWidgets(caller, sent)
    const properties = withRemappedIds(dashboard.body.properties, newIds, "null")
    const { email: creatorEmail, userId } = caller
    const own = { creatorEmail, userId, name, properties, type: null, variant: null }
    return this.createWithWidgets(caller.tenant, { ...dashboard.body, ...own }, made)
  }

  /**
   * Changes the given fields. Widgets of the request that the dashboard has are changed, others are
   * created; none is removed, because the last of the three documented steps omits existing ones.
   */
  change(caller: Caller, id: string, fields: DashboardFields): Promise<DashboardWithWidgets> {
    return this.mutex.run(id, async () => {
      const { tenant } = caller
      const { dashboard, widgets } = await this.get(caller, id)
      const { changed, others } = splitWidgets(widgets, fields.widgets ?? [])
      checkWidgetCount(widgets.length + others.length)
      const { made, newIds } = this.newWidgets(caller, others)
      const body = updatedDashboard(dashboard.body, fields)
      const properties = withRemappedIds(body.properties, newIds, "kept")
      const updatedMs = this.deps.clock.nowMs()
      const stored = { ...dashboard, body: { ...body, properties }, updatedMs }
      const added = this.widgets.onDashboard(made, id, updatedMs)
      await this.deps.documents.putAll([
        this.collection.putChange(tenant, stored),
        ...changed.map((widget) => this.widgets.putChange(tenant, { ...widget, updatedMs })),
        ...added.flatMap((widget) => this.widgets.insertChanges(tenant, widget)),
      ])
      return { dashboard: stored, widgets: await this.widgets.listOf(tenant, id) }
    })
  }

  /** Removes a dashboard with its widgets. */
  remove(caller: Caller, id: string): Promise<void> {
    return this.mutex.run(id, async () => {
      const { tenant } = caller
      const { widgets } = await this.get(caller, id)
      const removed = widgets.flatMap((widget) => this.widgets.deleteChanges(tenant, widget))
      await this.collection.remove(tenant, id, () => removed)
    })
  }

  /** The widgets of one dashboard, or of all dashboards visible to the caller. */
  async listWidgets(
    caller: Caller,
    dashboardId?: string,
  ): Promise<readonly StoredRecord<Widget>[]> {
    if (dashboardId !== undefined) return (await this.get(caller, dashboardId)).widgets
    const found: StoredRecord<Widget>[] = []
    for (const { id } of await this.list(caller)) {
      pushAll(found, await this.widgets.listOf(caller.tenant, id))
      if (found.length > widgetsListedMax) {
        throw invalid(`dashboardId: expected one, since there are over ${widgetsListedMax} widgets`)
      }
    }
    return found
  }

  /** Throws `missing` if there is none or its dashboard is not visible to the caller. */
  async getWidget(caller: Caller, id: string): Promise<StoredRecord<Widget>> {
    const widget = await this.widgets.get(caller.tenant, id)
    const dashboard = await this.collection.find(caller.tenant, widget.body.dashboardId)
    if (dashboard === undefined || !isDashboardVisible(dashboard.body, caller))
      throw this.widgets.missingError(id)
    return widget
  }

  /** Adds a widget to a dashboard; it is shown once the dashboard's layout contains it. */
  createWidget(
    caller: Caller,
    dashboardId: string,
    fields: WidgetWithType,
  ): Promise<StoredRecord<Widget>> {
    return this.mutex.run(dashboardId, async () => {
      const { widgets } = await this.get(caller, dashboardId)
      checkWidgetCount(widgets.length + 1)
      const { made } = this.newWidgets(caller, [fields])
      const [widget] = this.widgets.onDashboard(made, dashboardId, this.deps.clock.nowMs())
      await this.deps.documents.putAll(this.widgets.insertChanges(caller.tenant, widget!))
      return widget!
    })
  }

  async changeWidget(
    caller: Caller,
    id: string,
    fields: WidgetFields,
  ): Promise<StoredRecord<Widget>> {
    const { dashboardId } = (await this.getWidget(caller, id)).body
    return this.mutex.run(dashboardId, async () => {
      const former = await this.getWidget(caller, id)
      const updatedMs = this.deps.clock.nowMs()
      const widget = { ...former, body: updatedWidget(former.body, fields), updatedMs }
      await this.deps.documents.putAll([this.widgets.putChange(caller.tenant, widget)])
      return widget
    })
  }

  async removeWidget(caller: Caller, id: string): Promise<void> {
    const { dashboardId } = (await this.getWidget(caller, id)).body
    await this.mutex.run(dashboardId, async () => {
      const widget = await this.getWidget(caller, id)
      await this.deps.documents.putAll(this.widgets.deleteChanges(caller.tenant, widget))
    })
  }

  /** The existing ones of these dashboards, including private ones. */
  async find(tenant: TenantIndex, ids: readonly string[]): Promise<StoredRecord<Dashboard>[]> {
    const found = await Promise.all(ids.map((id) => this.collection.find(tenant, id)))
    return found.filter((one) => one !== undefined)
  }

  /** Calls `work` with no other change of these dashboards under way. */
  runExclusive<Result>(ids: readonly string[], work: () => Promise<Result>): Promise<Result> {
    return this.mutex.runAll(ids, work)
  }

  /**
   * Changes that store a dashboard with its widgets under an id chosen by the caller, for a
   * transaction of the caller. They replace an existing dashboard and its widgets; `createdMs`
   * stays.
   */
  async replaceChanges(
    caller: Caller,
    id: string,
    fields: NewDashboardFields,
  ): Promise<DocumentChange[]> {
    const { tenant } = caller
    const former = await this.collection.find(tenant, id)
    const { made, newIds } = this.newWidgets(caller, fields.widgets ?? [])
    const body = newDashboard(caller, fields)
    const properties = withRemappedIds(body.properties, newIds, "null")
    const nowMs = this.deps.clock.nowMs()
    const times = { createdMs: former?.createdMs ?? nowMs, updatedMs: nowMs }
    const widgets = this.widgets.onDashboard(made, id, nowMs)
    return [
      ...(former === undefined ? [] : await this.deleteChanges(tenant, id)),
      this.collection.putChange(tenant, { id, ...times, body: { ...body, properties } }),
      ...widgets.flatMap((widget) => this.widgets.insertChanges(tenant, widget)),
    ]
  }

  /** Changes that remove a dashboard with its widgets, for a transaction of the caller. */
  async deleteChanges(tenant: TenantIndex, id: string): Promise<DocumentChange[]> {
    const widgets = await this.widgets.listOf(tenant, id)
    const removed = widgets.flatMap((widget) => this.widgets.deleteChanges(tenant, widget))
    return [...removed, this.collection.deleteChange(tenant, id)]
  }

  /** Throws `invalid` if `more` additional dashboards exceed the limit. */
  checkCapacity(tenant: TenantIndex, more: number): Promise<void> {
    return this.collection.checkCapacity(tenant, more)
  }

  /** Adjusts the count after a transaction of the caller created `more` dashboards. */
  adjustCount(tenant: TenantIndex, more: number): void {
    this.collection.adjustCount(tenant, more)
  }

  private newWidgets(caller: Caller, sent: readonly WidgetWithType[]) {
    return newWidgets(caller, sent, () => this.deps.random.uuid())
  }

  private async createWithWidgets(
    tenant: TenantIndex,
    body: Dashboard,
    made: readonly NewWidget[],
  ): Promise<DashboardWithWidgets> {
    let widgets: StoredRecord<Widget>[] = []
    const dashboard = await this.collection.create(tenant, body, ([stored]) => {
      widgets = this.widgets.onDashboard(made, stored!.id, stored!.createdMs)
      return widgets.flatMap((widget) => this.widgets.insertChanges(tenant, widget))
    })
    return { dashboard, widgets }
  }
}

/** A private dashboard is visible to its creator and to administrators. */
export function isDashboardVisible(
  body: Pick<Dashboard, "private" | "creatorEmail">,
  caller: Caller,
): boolean {
  return !body.private || caller.isAdministrator || body.creatorEmail === caller.email
}

function checkWidgetCount(count: number): void {
  if (count > widgetsPerDashboardMax) {
    throw invalid(`Expected at most ${widgetsPerDashboardMax} widgets on one dashboard`)
  }
}
