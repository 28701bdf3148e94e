/** Orders of elements: facts of their status, tags, values of metrics (F14). */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { rankedElementsMax } from "../../src/base/limits/search.ts"
import { openIncidentKind } from "../../src/model/records/incident.ts"
import { cycleMs } from "../../src/model/resolution.ts"
import { FakeStore, ask, nowMs, openOf, requestOf } from "./fake-store.ts"

const hourMs = 3_600_000

interface Sorted {
  readonly field: string
  readonly order?: "asc" | "desc"
  readonly by?: string
  readonly startTime?: number
  readonly endTime?: number
  readonly missing?: string
}

async function found(store: FakeStore, sort: Sorted, body: object = {}): Promise<string[]> {
  const asked = requestOf("elementQuery", {}, { pageSize: 1_000, sort, ...body })
  const { page } = await ask(store, asked)
  return page.content.map(({ fqn }: { readonly fqn: string }) => fqn)
}

/** Both directions of an order. */
async function both(store: FakeStore, sort: Omit<Sorted, "order">): Promise<string[][]> {
  return [
    await found(store, { ...sort, order: "asc" }),
    await found(store, { ...sort, order: "desc" }),
  ]
}

test("facts of the status are in order, missing ones last both ways, ties by name", async () => {
  const store = new FakeStore()
  const put = (fqn: string, created: number, ageMs: number | null) => {
    const element = store.element(fqn)
    const info = store.catalogue.elementInfo(element)
    store.catalogue.replaceElementInfo(element, { ...info, createdMs: created })
    if (ageMs !== null) store.add(store.metric(element, "cpu"), nowMs - ageMs, 1)
  }
  put("c", 30, 2 * cycleMs)
  put("never", 10, null)
  put("b", 20, 40 * cycleMs)
  put("a", 20, 40 * cycleMs)
  const incident = (fqn: string, i: number) => ({
    id: `${i}`,
    document: { incident: { elementFqn: fqn }, event: { level: "INFO" } },
  })
  store.documents.set(openIncidentKind(0), [incident("b", 1), incident("b", 2), incident("c", 3)])
  assert.deepEqual(await both(store, { field: "created" }), [
    ["never", "a", "b", "c"],
    ["c", "a", "b", "never"],
  ])
  assert.deepEqual(await both(store, { field: "lastSeen" }), [
    ["a", "b", "c", "never"],
    ["c", "a", "b", "never"],
  ])
  assert.deepEqual(await both(store, { field: "openIncidents" }), [
    ["a", "never", "c", "b"],
    ["b", "c", "a", "never"],
  ])
  assert.deepEqual(await both(store, { field: "collectedPercent" }), [
    ["a", "b", "c", "never"],
    ["a", "b", "c", "never"],
  ])
})

test("tags that people set win, and values that are all numbers are compared as such", async () => {
  const store = new FakeStore()
  const put = (fqn: string, cpus: string, tier: string) => {
    const attributes = cpus === "" ? [] : [{ name: "cpus", value: cpus }]
    store.element(fqn, { attributes, tags: [{ name: "tier", value: tier }] })
  }
  put("nine", "9", "b")
  put("sixteen", "16", "c")
  put("none", "", "d")
  const own = store.catalogue.findElement(0, "none")
  const info = store.catalogue.elementInfo(own)
  const serviceTags = [{ name: "tier", value: "a" }]
  store.catalogue.replaceElementInfo(own, { ...info, serviceTags })
  assert.deepEqual(await both(store, { field: "attributes.cpus" }), [
    ["nine", "sixteen", "none"],
    ["sixteen", "nine", "none"],
  ])
  assert.deepEqual(await both(store, { field: "tags.tier" }), [
    ["none", "nine", "sixteen"],
    ["sixteen", "nine", "none"],
  ])
})

/** Elements with values of one metric, a value a cycle, the last an hour before now. */
function measured(values: Readonly<Record<string, number[]>>): FakeStore {
  const store = new FakeStore()
  for (const [fqn, ofElement] of Object.entries(values)) {
    const element = store.element(fqn)
    const series = ofElement.length === 0 ? -1 : store.metric(element, "cpu.total")
    ofElement.forEach((value, i) => {
      store.add(series, nowMs - hourMs - (ofElement.length - i) * cycleMs, value)
    })
  }
  return store
}

const window = { startTime: nowMs - 3 * hourMs, endTime: nowMs }

test("a metric sorts by a statistic of its window, elements without a value last", async () => {
  const store = measured({ hot: [80, 90, 4], even: [60, 60, 60], none: [], cold: [5, 6, 70] })
  const orders = {
    avg: ["even", "hot", "cold", "none"],
    max: ["hot", "cold", "even", "none"],
    min: ["even", "cold", "hot", "none"],
    last: ["cold", "even", "hot", "none"],
    change: ["cold", "even", "hot", "none"],
    p95: ["hot", "cold", "even", "none"],
  }
  for (const [by, want] of Object.entries(orders)) {
    const sort = { field: "metrics.cpu.total", by, ...window }
    const [ascending, descending] = await both(store, sort)
    assert.deepEqual(descending, want, by)
    assert.deepEqual(ascending, [...want.slice(0, 3).toReversed(), "none"], by)
  }
  const sort = { field: "metrics.cpu.total", order: "desc", ...window } as const
  assert.deepEqual(await found(store, sort), orders.avg, "avg if nothing is said")
  const first = await found(store, { ...sort, missing: "_first" })
  assert.equal(first[0], "none")
  const lastHour = await found(store, { field: "metrics.cpu.total" })
  assert.deepEqual(lastHour, ["cold", "even", "hot", "none"], "no value in the last hour: by name")
  assert.equal((await found(store, { ...sort, field: "metrics.unknown" })).length, 4)
})

test("unflushed samples count", async () => {
  const store = measured({ one: [1], other: [2] })
  const series = store.catalogue.elementSeries(0)[0]!
  const open = openOf(series, [{ timeMs: nowMs - 5_000, value: 99 }])
  const sort = { field: "metrics.cpu.total", order: "desc", by: "max", ...window }
  const asked = requestOf("elementQuery", {}, { sort })
  const { page } = await ask(store, asked, open)
  assert.equal(page.content[0].fqn, "one")
})

test("law: pages of an order, one after the other, are the order", async () => {
  const values = fc.array(fc.option(fc.integer({ min: 0, max: 3 })), {
    minLength: 1,
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(values, fc.integer({ min: 1, max: 5 }), async (given, pageSize) => {
      const named = given.map((one, i) => [`e${i}`, one === null ? [] : [one]] as const)
      const store = measured(Object.fromEntries(named))
      const sort = { field: "metrics.cpu.total", order: "desc", ...window } as const
      const whole = await found(store, sort)
      const pages: string[] = []
      for (let page = 0; page * pageSize < given.length; page++) {
        pages.push(...(await found(store, sort, { page, pageSize })))
      }
      assert.deepEqual(pages, whole)
      const valueOf = (fqn: string) => given[Number(fqn.slice(1))] ?? -1
      const isOrdered = whole.every((fqn, i) => i === 0 || valueOf(whole[i - 1]!) >= valueOf(fqn))
      assert.ok(isOrdered, whole.join())
    }),
    { numRuns: 30 },
  )
})

test("what cannot be sorted by is refused with field and value", async () => {
  const store = measured({ one: [1] })
  const refusals: readonly (readonly [object, RegExp])[] = [
    [{ field: "metrics" }, /sort.field: .*metrics.<name>.* got "metrics"/],
    [{ field: "metrics.cpu", by: "most" }, /sort.by: expected one of avg, max, .* got "most"/],
    [{ field: "name", by: "avg" }, /sort.by: expected none for "name", got "avg"/],
    [{ field: "level", startTime: "P1D" }, /sort.startTime: expected none for "level"/],
    [{ field: "metrics.cpu", startTime: "then" }, /sort.startTime: cannot read "then"/],
    [{ field: "metrics.cpu", startTime: nowMs, endTime: nowMs - 1 }, /sort.startTime: expected it/],
    [{ field: "lastseen" }, /sort.field: .*"lastseen".*"lastSeen"/],
  ]
  for (const [sort, message] of refusals) {
    const asked = ask(store, requestOf("elementQuery", {}, { sort }))
    await assert.rejects(asked, { code: "invalid", message }, JSON.stringify(sort))
  }
  const startTime = "0001-01-01T00:00:00Z"
  const asked = ask(
    store,
    requestOf("elementQuery", {}, { sort: { field: "metrics.a", startTime } }),
  )
  await assert.rejects(asked, { code: "invalid", message: /sort.startTime: .*32768 days/ })
})

test("more elements with the metric than can be ranked are refused", async () => {
  const store = new FakeStore()
  for (let i = 0; i <= rankedElementsMax; i++) store.metric(store.element(`e${i}`), "cpu")
  const sort = { field: "metrics.cpu" }
  const message = /sort.field: 100001 elements that pass have the metric "cpu", more than 100000/
  const all = ask(store, requestOf("elementQuery", {}, { sort }))
  await assert.rejects(all, { code: "invalid", message })
  const some = { elementNames: { and: false, items: [{ item: "e1" }] } }
  assert.deepEqual(await found(store, sort, some), ["e1"])
})
