import assert from "node:assert/strict"
import { test } from "node:test"
import { ServiceError } from "../../src/base/errors.ts"
import { Dashboards } from "../../src/records/dashboards/dashboards.ts"
import { elementTypeDashboard } from "../../src/records/dashboards/element-type-dashboards.ts"
import { layoutProperty, withRemappedIds } from "../../src/records/dashboards/widget-layout.ts"
import { ada, bob, recordsDeps } from "./test-deps.ts"

const isMissing = (error: unknown) => error instanceof ServiceError && error.code === "missing"
const widget = { name: "w", widgetType: "events" }

test("a tenant's dashboards and widgets are invisible to other tenants", async () => {
  const boards = new Dashboards(recordsDeps())
  const { dashboard, widgets } = await boards.create(ada, { name: "a", widgets: [widget] })
  const { id } = dashboard
  const widgetId = widgets[0]!.id
  assert.deepEqual(await boards.list(bob), [])
  assert.deepEqual(await boards.listWidgets(bob), [])
  await assert.rejects(boards.get(bob, id), isMissing)
  await assert.rejects(boards.change(bob, id, { name: "b" }), isMissing)
  await assert.rejects(boards.copy(bob, id, "b"), isMissing)
  await assert.rejects(boards.remove(bob, id), isMissing)
  await assert.rejects(boards.createWidget(bob, id, widget), isMissing)
  await assert.rejects(boards.getWidget(bob, widgetId), isMissing)
  await assert.rejects(boards.changeWidget(bob, widgetId, { name: "b" }), isMissing)
  await assert.rejects(boards.removeWidget(bob, widgetId), isMissing)
  assert.deepEqual(await boards.get(ada, id), { dashboard, widgets })
})

test("concurrent additions, changes and removals of widgets are all applied", async () => {
  const boards = new Dashboards(recordsDeps())
  const { dashboard, widgets } = await boards.create(ada, { name: "a", widgets: [widget, widget] })
  const { id } = dashboard
  const [kept, removed] = widgets
  const added = Array.from({ length: 10 }, () => boards.createWidget(ada, id, widget))
  const changes = ["p", "q", "r"].map((name) =>
    boards.changeWidget(ada, kept!.id, { properties: { [name]: "1" } }),
  )
  const renamed = boards.change(ada, id, { name: "b", widgets: [{ id: kept!.id, name: "k" }] })
  await Promise.all([...added, ...changes, renamed, boards.removeWidget(ada, removed!.id)])

  const now = await boards.get(ada, id)
  assert.equal(now.dashboard.body.name, "b")
  assert.equal(now.widgets.length, 11)
  const { body } = now.widgets.find((one) => one.id === kept!.id)!
  assert.deepEqual([body.name, body.properties], ["k", { p: "1", q: "1", r: "1" }])
})

test("a removed dashboard leaves nothing in the store", async () => {
  const deps = recordsDeps()
  const boards = new Dashboards(deps)
  const empty = deps.documents.dump()
  const { dashboard } = await boards.create(ada, { name: "a", widgets: [widget, widget] })
  assert.notEqual(deps.documents.dump(), empty)
  await boards.remove(ada, dashboard.id)
  assert.ok(!deps.documents.dump().includes(dashboard.id))
  assert.equal(
    [...deps.documents.byKind.values()].reduce((sum, { size }) => sum + size, 0),
    0,
  )
})

test("a dashboard has at most 200 widgets, however they are created", async () => {
  const boards = new Dashboards(recordsDeps())
  const widgets = Array.from({ length: 199 }, () => widget)
  const { id } = (await boards.create(ada, { name: "a", widgets })).dashboard
  await boards.createWidget(ada, id, widget)
  await assert.rejects(boards.createWidget(ada, id, widget), /at most 200 widgets/)
  await assert.rejects(boards.change(ada, id, { widgets: [widget] }), /at most 200 widgets/)
  assert.equal((await boards.get(ada, id)).widgets.length, 200)
})

test("a new widget without a type is refused in a change, and nothing is stored", async () => {
  const deps = recordsDeps()
  const boards = new Dashboards(deps)
  const { id } = (await boards.create(ada, { name: "a" })).dashboard
  await boards.get(ada, id)
  const before = deps.documents.dump()
  const change = boards.change(ada, id, { name: "b", widgets: [{ name: "x" }] })
  await assert.rejects(change, /dashboard\.widgets\[0\]\.widgetType/)
  assert.equal(deps.documents.dump(), before)
})

test("withRemappedIds() replaces ids of the layout and leaves the rest", () => {
  const layout = JSON.stringify([{ id: "1", x: 2 }, { id: 2 }, { id: "other" }, null, 7])
  const newIds = new Map([
    ["1", "A"],
    ["2", "B"],
  ])
  const f = (text: string | null, others: "null" | "kept") =>
    withRemappedIds({ wrap: "true", [layoutProperty]: text }, newIds, others)
  const entries = (text: string | null) => JSON.parse(text!) as unknown

  const created = f(layout, "null")
  assert.equal(created["wrap"], "true")
  const moved = [{ id: "A", x: 2 }, { id: "B" }]
  assert.deepEqual(entries(created[layoutProperty]!), [...moved, { id: null }, null, 7])
  const kept = f(layout, "kept")
  assert.deepEqual(entries(kept[layoutProperty]!), [...moved, { id: "other" }, null, 7])
  for (const text of ["", " ", null]) assert.equal(f(text, "null")[layoutProperty], text)
  for (const text of ["{}", "[", "3", "nonsense"]) {
    assert.throws(() => f(text, "null"), /gridstackContents: expected a JSON array/)
  }
})

test("the newest of several dashboards of one element type is shown", async () => {
  const deps = recordsDeps()
  const boards = new Dashboards(deps)
  const make = async (name: string, type: string | null, variant: string | null = null) => {
    deps.clock.advance(1)
    await boards.create(ada, { name, type, variant })
  }
  await make("old", "Ec2")
  await make("new", "EC2")
  await make("plain", "DEFAULT")
  await make("simple", "SERVER", "SIMPLE")
  await make("hyphen", "APPLICATION-ELB")
  const all = await boards.list(ada)
  const nameOf = (type: string) => elementTypeDashboard(all, type)?.dashboard.body.name

  assert.equal(nameOf("ec2"), "new")
  assert.equal(nameOf("EC2-FULL"), "new")
  assert.equal(nameOf("server-simple"), "simple")
  assert.equal(nameOf("application-elb"), "hyphen")
  for (const type of ["SERVER", "SERVER-FULL", "DEFAULT", "", "-FULL"]) {
    assert.equal(nameOf(type), undefined, type)
  }
})
