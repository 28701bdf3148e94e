/**
 * Dashboards and widgets (spec/records §1, spec/records §2): the documented ways to make and change
 * them.
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import { callerOf, newUser, type TestCaller } from "../support/server/caller.ts"
import { useAccount } from "../support/server/server.ts"

interface WidgetRecord {
  readonly id: string
  readonly dashboardId: string
  readonly name: string | null
  readonly widgetType: string
  readonly properties: Readonly<Record<string, string | null>>
  readonly generated: boolean
  readonly created: string
}
interface DashboardRecord extends Omit<WidgetRecord, "dashboardId" | "generated" | "widgetType"> {
  readonly creatorEmail: string
  readonly layout: string | null
  readonly type: string | null
  readonly private: boolean
  readonly widgets: readonly WidgetRecord[]
}

let admin: TestCaller
let readOnly: TestCaller
let power: TestCaller
const client = useAccount({
  prepare: async (client) => {
    admin = callerOf(client)
    readOnly = await newUser(client, "reader", "Read Only")
    power = await newUser(client, "power", "Power User")
  },
})

const unknownId = "00000000-0000-4000-8000-000000000000"

async function created(dashboard: object, caller = admin): Promise<DashboardRecord> {
  const reply = await caller.post("/dashboards", { dashboard })
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ dashboard: DashboardRecord }>().dashboard
}

async function read(id: string, caller = admin): Promise<DashboardRecord> {
  const reply = await caller.get(`/dashboards/${id}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ dashboard: DashboardRecord }>().dashboard
}

function gridOf(dashboard: DashboardRecord): readonly { readonly id: string | null }[] {
  return JSON.parse(dashboard.properties["gridstackContents"]!)
}

test("the documented three steps make a dashboard with a widget on it", async () => {
  const dashboard = await created({ name: "API Test Board" })
  const { id } = dashboard
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  assert.match(dashboard.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  const { type, layout, creatorEmail, widgets } = dashboard
  assert.deepEqual([type, layout, creatorEmail, widgets], ["DEFAULT", null, client().user, []])

  const properties = { visualization: "time series", showBands: true, topNLimit: 5 }
  const widget = { dashboardId: id, name: "CPU", widgetType: "single-metric", generated: "true" }
  const posted = await admin.post("/widgets", { widget: { ...widget, properties } })
  assert.equal(posted.status, 200)
  const made = posted.json<{ widget: WidgetRecord }>().widget
  assert.deepEqual([made.dashboardId, made.generated], [id, false])
  assert.deepEqual(made.properties, { ...properties, showBands: "true", topNLimit: "5" })

  const gridstackContents = JSON.stringify([{ id: made.id, x: 0, y: 0, width: 4, height: 7 }])
  const changed = { timeRangeDuration: 3600, wrap: true, gridstackContents }
  const body = { dashboard: { id, name: "API Test Board", properties: changed } }
  const put = await admin.put(`/dashboards/${id}`, body)
  assert.deepEqual([put.status, put.text], [204, ""])

  const now = await read(id)
  assert.deepEqual(now.properties, { timeRangeDuration: "3600", wrap: "true", gridstackContents })
  assert.deepEqual(now.widgets, [made])
})

test("a dashboard posted with widgets gets ids of its own, and the layout follows", async () => {
  const entry = (id: string, y: number) => ({ id, x: 0, y, width: 12, height: 9 })
  const dashboard = await created({
    name: "At once",
    private: true,
    widgets: ["1", "2"].map((id) => ({ id, name: `W${id}`, widgetType: "multi-metric" })),
    properties: {
      gridstackContents: JSON.stringify([entry("2", 0), entry("1", 9), entry("gone", 18)]),
      integrationType: null,
    },
  })
  const [first, second] = dashboard.widgets
  assert.deepEqual([first!.name, second!.name], ["W1", "W2"])
  assert.deepEqual(gridOf(dashboard), [
    entry(second!.id, 0),
    entry(first!.id, 9),
    { ...entry("", 18), id: null },
  ])
  assert.equal(dashboard.properties["integrationType"], null)
  assert.deepEqual(await read(dashboard.id), dashboard)
})

test("the list has all dashboards, none with its widgets", async () => {
  const made = await created({ name: "Listed", widgets: [{ widgetType: "events" }] })
  const reply = await admin.get("/dashboards/")
  const { dashboards } = reply.json<{ dashboards: DashboardRecord[] }>()
  assert.ok(dashboards.some(({ id }) => id === made.id))
  assert.ok(dashboards.every(({ widgets }) => widgets.length === 0))
})

test("a copy is another dashboard with the same content and no type", async () => {
  const { id, ...former } = await created({
    name: "Original",
    type: "EC2",
    widgets: [{ id: "1", name: "W", widgetType: "events", properties: { a: "b" } }],
    properties: { gridstackContents: '[{"id":"1","x":3}]' },
  })
  const reply = await admin.post(`/dashboards/${id}/copy`, { name: "Cloned Dashboard" })
  assert.equal(reply.status, 200)
  const copy = reply.json<{ dashboard: DashboardRecord }>().dashboard
  assert.deepEqual([copy.name, copy.type], ["Cloned Dashboard", null])
  assert.notEqual(copy.id, id)
  assert.notEqual(copy.widgets[0]!.id, former.widgets[0]!.id)
  assert.deepEqual(copy.widgets[0]!.properties, { a: "b" })
  assert.deepEqual(gridOf(copy), [{ id: copy.widgets[0]!.id, x: 3 }])
  assert.equal((await admin.post(`/dashboards/${id}/copy`, {})).status, 400)
  assert.equal((await admin.post(`/dashboards/${unknownId}/copy`, { name: "x" })).status, 404)
})

test("a change keeps what it does not name, changes named widgets, removes none", async () => {
  const { id, widgets } = await created({
    name: "Before",
    description: "kept",
    widgets: [
      { name: "A", widgetType: "events", properties: { a: "1", b: "2" } },
      { name: "B", widgetType: "events" },
    ],
    properties: { wrap: "true", density: "normal" },
  })
  const changedWidget = { id: widgets[0]!.id, name: "A2", properties: { b: "3" } }
  const added = { id: "new", name: "C", widgetType: "alerts" }
  const gridstackContents = JSON.stringify([{ id: widgets[1]!.id }, { id: "new" }])
  const body = { name: "After", widgets: [changedWidget, added], properties: { gridstackContents } }
  assert.equal((await admin.put(`/dashboards/${id}`, { dashboard: body })).status, 204)

  const now = await read(id)
  assert.deepEqual([now.name, now.properties["density"]], ["After", "normal"])
  assert.deepEqual(new Set(now.widgets.map(({ name }) => name)), new Set(["A2", "B", "C"]))
  const byName = new Map(now.widgets.map((widget) => [widget.name, widget]))
  assert.deepEqual(byName.get("A2")!.properties, { a: "1", b: "3" })
  assert.deepEqual(gridOf(now), [{ id: widgets[1]!.id }, { id: byName.get("C")!.id }])
})

test("the documented update of a widget: list, get, put", async () => {
  const properties = { elementScopeAttributes: '[{"value":"us-east-1","key":"region"}]', a: "b" }
  const widget = { id: "1", name: "EC2 CPU", widgetType: "multi-metric", properties }
  const dashboard = await created({ name: "Widgets", widgets: [widget] })
  const listed = await admin.get(`/widgets?dashboardId=${dashboard.id}`)
  assert.deepEqual(listed.json(), { widgets: dashboard.widgets })
  const { id } = dashboard.widgets[0]!
  const got = (await admin.get(`/widgets/${id}`)).json<{ widget: WidgetRecord }>().widget
  assert.deepEqual(got, dashboard.widgets[0])

  const west = '[{"value":"us-west-2","key":"region"}]'
  const sent = {
    ...got,
    generated: true,
    properties: { ...got.properties, elementScopeAttributes: west },
  }
  const put = await admin.put(`/widgets/${id}`, { widget: sent })
  assert.equal(put.status, 200)
  const now = put.json<{ widget: WidgetRecord }>().widget
  assert.deepEqual(now.properties, { elementScopeAttributes: west, a: "b" })
  assert.deepEqual([now.generated, now.created], [false, got.created])
  const all = (await admin.get("/widgets")).json<{ widgets: WidgetRecord[] }>().widgets
  assert.ok(all.some((one) => one.id === id))

  assert.deepEqual((await admin.delete(`/widgets/${id}`)).status, 204)
  assert.equal((await admin.get(`/widgets/${id}`)).status, 404)
  assert.deepEqual((await read(dashboard.id)).widgets, [])
})

test("a removed dashboard takes its widgets along", async () => {
  const { id, widgets } = await created({ name: "Gone", widgets: [{ widgetType: "events" }] })
  const removed = await admin.delete(`/dashboards/${id}`)
  assert.deepEqual([removed.status, removed.text], [204, ""])
  for (const path of [`/dashboards/${id}`, `/widgets/${widgets[0]!.id}`]) {
    assert.equal((await admin.get(path)).status, 404)
  }
  assert.equal((await admin.get(`/widgets?dashboardId=${id}`)).status, 404)
  assert.equal((await admin.delete(`/dashboards/${id}`)).status, 404)
})

test("dashboards of element types are found by type and variant, in any case", async () => {
  const widgets = [{ widgetType: "element-tags" }]
  await created({ name: "Full", type: "SERVER", widgets })
  await created({ name: "Simple", type: "SERVER", variant: "SIMPLE", widgets })
  const f = async (path: string, id: string, name: string) => {
    const reply = await admin.get(path)
    assert.equal(reply.status, 200, path)
    const found = reply.json<{ elementTypeDashboard: DashboardRecord }>().elementTypeDashboard
    assert.deepEqual([found.id, found.name, found.widgets.length], [id, name, 1])
  }

  await f("/dashboards/dashboardtype/server", "SERVER", "Full")
  await f("/dashboards/dashboardtype/SERVER-FULL", "SERVER", "Full")
  await f("/dashboards/dashboardtype/Server-Simple", "SERVER-SIMPLE", "Simple")
  await f("/dashboards/elementtype/SERVER", "SERVER", "Full")
  assert.equal((await admin.get("/dashboards/dashboardtype/default")).status, 404)
  const all = await admin.get("/dashboards/elementtype")
  const { elementTypeDashboards } = all.json<{ elementTypeDashboards: DashboardRecord[] }>()
  const ids = elementTypeDashboards.map(({ id }) => id)
  assert.ok(ids.includes("SERVER") && ids.includes("SERVER-SIMPLE") && !ids.includes("DEFAULT"))
  assert.ok(elementTypeDashboards.every((one) => one.widgets.length === 0))
})

test("a private dashboard is visible to its creator and to administrators", async () => {
  const { id, widgets } = await created(
    { name: "Mine", private: true, widgets: [{ widgetType: "events" }] },
    power,
  )
  assert.equal((await read(id, power)).name, "Mine")
  assert.equal((await read(id, admin)).name, "Mine")
  for (const path of [`/dashboards/${id}`, `/widgets/${widgets[0]!.id}`]) {
    assert.equal((await readOnly.get(path)).status, 404, path)
  }
  assert.ok(!(await readOnly.get("/dashboards")).text.includes(id))
})

test("invalid input is a 400 that names the field, and nothing is stored", async () => {
  const { id } = await created({ name: "Base" })
  const count = async () =>
    (await admin.get("/dashboards")).json<{ dashboards: unknown[] }>().dashboards.length
  const before = await count()
  const f = async (body: unknown, problem: RegExp, path = "/dashboards") => {
    const reply = await admin.post(path, body)
    assert.equal(reply.status, 400, reply.text)
    assert.match(errorOf(reply).errors.join(), problem)
  }

  await f(undefined, /body: expected an object/)
  await f({}, /dashboard: expected a value, got undefined/)
  await f({ dashboard: {} }, /dashboard\.name/)
  await f({ dashboard: { name: " " } }, /dashboard\.name: expected a text that is not empty/)
  await f({ dashboard: { name: "x", private: "maybe" } }, /dashboard\.private: expected true or f/)
  await f(
    { dashboard: { name: "x", properties: [1] } },
    /dashboard\.properties: expected an object/,
  )
  await f({ dashboard: { name: "x", widgets: [{}] } }, /dashboard\.widgets\[0\]\.widgetType/)
  await f({ dashboard: { name: "x", properties: { gridstackContents: "{}" } } }, /gridstackCont/)
  const twice = [1, 1].map((one) => ({ id: one, widgetType: "events" }))
  await f({ dashboard: { name: "x", widgets: twice } }, /ids that differ, got "1" twice/)
  const many = Array.from({ length: 201 }, () => ({ widgetType: "events" }))
  await f({ dashboard: { name: "x", widgets: many } }, /dashboard\.widgets: expected at most 200/)
  const large = { blob: "x".repeat(70_000) }
  await f({ dashboard: { name: "x", properties: large } }, /at most 65536 bytes/)
  await f({ widget: { widgetType: "events" } }, /widget\.dashboardId/, "/widgets")
  await f(
    { widget: { dashboardId: "x", widgetType: "e" } },
    /dashboardId: expected a UUID/,
    "/widgets",
  )
  await f({ widget: { dashboardId: id } }, /widget\.widgetType/, "/widgets")
  assert.equal(await count(), before)

  assert.equal((await admin.get("/dashboards/nonsense")).status, 400)
  assert.equal((await admin.get("/widgets?dashboardId=nonsense")).status, 400)
  const widget = { dashboardId: unknownId, widgetType: "events" }
  assert.equal((await admin.post("/widgets", { widget })).status, 404)
  assert.equal((await admin.put(`/dashboards/${unknownId}`, { dashboard: {} })).status, 404)
})
