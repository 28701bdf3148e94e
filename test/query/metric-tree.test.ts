/** One level of the names: the counts of a naive walk over all metrics. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { treeNodesMax } from "../../src/base/limits/search.ts"
import type { MetricTree } from "../../src/wire/search/search-answer.ts"
import { FakeStore, ask, nowMs, requestOf } from "./fake-store.ts"

const treeOf = (store: FakeStore, params: Record<string, string>): Promise<MetricTree> =>
  ask(store, requestOf("metricTree", params))

test("a level has leaves, inner nodes and nodes that are both", async () => {
  const store = new FakeStore()
  const web = store.element("web", { type: "SERVER" })
  for (const fqn of ["cpu.total", "cpu.core.0", "cpu.core.1", "cpu.core"]) {
    store.metric(web, fqn, { patch: { unit: "percent" } })
  }
  store.metric(web, "cpu.load", { patch: { unit: "1" } })
  const db = store.element("db")
  store.metric(db, "cpu.total", { patch: { unit: "percent" } })
  store.metric(db, "locks")
  const { nodes, truncated } = await treeOf(store, {})
  const cpu = { segment: "cpu", fqn: "cpu", isLeaf: false, children: 5, metrics: 6, elements: 2 }
  const locks = { ...cpu, segment: "locks", fqn: "locks", isLeaf: true, children: 0, metrics: 1 }
  assert.deepEqual(nodes, [
    { ...cpu, unit: null },
    { ...locks, elements: 1, unit: "" },
  ])
  assert.equal(truncated, false)
  const below = await treeOf(store, { prefix: "cpu." })
  assert.equal(below.prefix, "cpu")
  assert.deepEqual(
    below.nodes.map(({ fqn, isLeaf, children, metrics, unit }) => [
      fqn,
      isLeaf,
      children,
      metrics,
      unit,
    ]),
    [
      ["cpu.core", true, 2, 3, "percent"],
      ["cpu.total", true, 0, 2, "percent"],
      ["cpu.load", true, 0, 1, "1"],
    ],
  )
  const ofDb = await treeOf(store, { prefix: "cpu", elementFqn: "db" })
  assert.deepEqual(
    ofDb.nodes.map(({ fqn, metrics }) => [fqn, metrics]),
    [["cpu.total", 1]],
  )
})

test("a level with more nodes than are listed says so", async () => {
  const store = new FakeStore()
  const element = store.element("e")
  for (let i = 0; i <= treeNodesMax; i++) store.catalogue.upsertSeries(element, `m${i}`)
  const { nodes, truncated } = await treeOf(store, {})
  assert.deepEqual([nodes.length, truncated], [treeNodesMax, true])
})

const name = fc.constantFrom("a", "a.b", "a.b.c", "a.bc", "b", "ab.c", "a.b.d", "b.a")
const element = fc.record({
  type: fc.constantFrom("X", "Y"),
  isDeleted: fc.constantFrom(false, false, true),
  metrics: fc.uniqueArray(name),
})

test("the counts of any level are those of a naive walk", async () => {
  const law = fc.asyncProperty(
    fc.array(element, { maxLength: 5 }),
    fc.constantFrom("", "a", "a.b", "b", "z"),
    fc.constantFrom({}, { elementType: "X" }, { metricFqn: "a.b" }),
    async (elements, prefix, conditions) => {
      const store = new FakeStore()
      const listed: { fqn: string; element: number }[] = []
      elements.forEach(({ type, isDeleted, metrics }, i) => {
        const index = store.element(`e${i}`, { type })
        for (const fqn of metrics) {
          store.metric(index, fqn)
          const isMatch =
            "elementType" in conditions
              ? type === "X"
              : !("metricFqn" in conditions) || fqn === "a.b"
          if (isMatch && !isDeleted) listed.push({ fqn, element: index })
        }
        const info = store.catalogue.elementInfo(index)
        const deleted = isDeleted ? { deletedMs: nowMs } : {}
        store.catalogue.replaceElementInfo(index, { ...info, ...deleted })
      })
      const { nodes } = await treeOf(store, { prefix, ...conditions })
      const start = prefix === "" ? "" : `${prefix}.`
      const below = listed.filter(({ fqn }) => fqn.startsWith(start))
      assert.equal(
        nodes.reduce((sum, { metrics }) => sum + metrics, 0),
        below.length,
      )
      for (const { fqn, isLeaf, children, metrics, elements: count } of nodes) {
        const own = below.filter((one) => one.fqn === fqn || one.fqn.startsWith(`${fqn}.`))
        assert.equal(metrics, own.length)
        assert.equal(count, new Set(own.map((one) => one.element)).size)
        assert.equal(
          isLeaf,
          own.some((one) => one.fqn === fqn),
        )
        const deeper = own.filter((one) => one.fqn !== fqn)
        assert.equal(children, new Set(deeper.map((one) => one.fqn)).size)
      }
      const sizes = nodes.map(({ metrics }) => metrics)
      assert.deepEqual(
        sizes,
        sizes.toSorted((one, other) => other - one),
      )
    },
  )
  await fc.assert(law, { numRuns: 100 })
})
