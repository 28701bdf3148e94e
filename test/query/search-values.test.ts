/** Values of a field: those of a naive walk over the elements, best ones first (spec/search §6). */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { FakeStore, ask, nowMs, requestOf } from "./fake-store.ts"

interface Found {
  readonly total: number
  readonly values: readonly { readonly value: string; readonly count: number }[]
}

const valuesOf = (store: FakeStore, field: string, more = {}): Promise<Found> =>
  ask(store, requestOf("searchValues", { field, ...more }))

const pairs = ({ values }: Found) => values.map(({ value, count }) => [value, count])

function filledStore(): FakeStore {
  const store = new FakeStore()
  const tags = (env: string) => [
    { name: "env", value: env },
    { name: "team", value: "web" },
  ]
  const attributes = [{ name: "os", value: "Linux" }]
  const web = store.element("web-1", { type: "SERVER", tags: tags("prod"), attributes })
  store.element("web-2", { type: "SERVER", tags: tags("preprod"), location: "Berlin" })
  store.element("web-3", { type: "CONTAINER", tags: tags("prod") })
  store.element("foreign", { type: "FOREIGN", tags: tags("foreign") }, 1)
  store.metric(web, "cpu", { patch: { unit: "percent" } })
  store.metric(web, "mem", { patch: { unit: "bytes" } })
  store.metric(web, "swap", { patch: { unit: "bytes" } })
  const gone = store.element("gone", { type: "GONE", tags: tags("gone") })
  store.metric(gone, "old", { patch: { unit: "gone" } })
  const info = store.catalogue.elementInfo(gone)
  store.catalogue.replaceElementInfo(gone, { ...info, deletedMs: nowMs })
  return store
}

test("each field has its values with the elements that have them", async () => {
  const store = filledStore()
  const f = async (field: string, expected: readonly (readonly [string, number])[]) => {
    const found = await valuesOf(store, field)
    assert.deepEqual([pairs(found), found.total], [expected, expected.length], field)
  }
  await f("type", [
    ["SERVER", 2],
    ["CONTAINER", 1],
  ])
  await f("location", [["Berlin", 1]])
  await f("collector", [["Custom", 3]])
  await f("unit", [
    ["bytes", 2],
    ["percent", 1],
  ])
  await f("tag", [
    ["env", 3],
    ["team", 3],
  ])
  await f("tag.env", [
    ["prod", 2],
    ["preprod", 1],
  ])
  await f("attr", [["os", 1]])
  await f("attr.os", [["Linux", 1]])
  await f("tag.none", [])
})

test("prefixes come before parts, and the limit holds", async () => {
  const store = filledStore()
  assert.deepEqual(pairs(await valuesOf(store, "tag.env", { q: "PRE" })), [["preprod", 1]])
  const both = await valuesOf(store, "tag.env", { q: "prod", limit: "1" })
  assert.deepEqual([pairs(both), both.total], [[["prod", 2]], 2])
})

test("values are those of a naive walk", async () => {
  const word = fc.constantFrom("a", "b", "ab", "B", "")
  const tag = fc.record({ name: fc.constantFrom("x", "y"), value: word })
  const tags = fc.uniqueArray(tag, { maxLength: 2, selector: ({ name }) => name })
  await fc.assert(
    fc.asyncProperty(fc.array(tags, { maxLength: 6 }), word, async (elements, q) => {
      const store = new FakeStore()
      elements.forEach((own, i) => store.element(`e${i}`, { tags: own }))
      const expected = new Map<string, number>()
      for (const own of elements) {
        for (const value of new Set(own.flatMap((one) => (one.name === "x" ? [one.value] : [])))) {
          if (value === "" || !value.toLowerCase().includes(q.toLowerCase())) continue
          expected.set(value, (expected.get(value) ?? 0) + 1)
        }
      }
      const found = await valuesOf(store, "tag.x", { q })
      assert.deepEqual(new Map(found.values.map(({ value, count }) => [value, count])), expected)
      assert.equal(found.total, expected.size)
    }),
  )
})
