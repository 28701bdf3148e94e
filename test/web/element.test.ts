/** The page of an element without a browser: the tree of names, the filter, the ranking. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type { SeriesLine } from "../../src/web/api/series-answer.ts"
import { addedLast, holdsAddedAlone, metricName } from "../../src/web/format/metric-name.ts"
import { nameTree, passingNames, type NameNode } from "../../src/web/pages/element/metric-tree.ts"
import { activity, mostActive } from "../../src/web/pages/element/activity.ts"
import { mainMetric } from "../../src/web/pages/home/tiles/main-metric.ts"

const part = fc.constantFrom("cpu", "mem", "", "a b", "<img>", "total")
const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("."))
const names = fc.uniqueArray(name, { maxLength: 30 })

function nodesOf(nodes: readonly NameNode[]): NameNode[] {
  return nodes.flatMap((node) => [node, ...nodesOf(node.children)])
}

test("each node of the tree counts the metrics at and below it, each metric is one node", () => {
  fc.assert(
    fc.property(names, (all) => {
      const tree = nameTree(all)
      const nodes = nodesOf(tree)
      assert.equal(new Set(nodes.map((node) => node.name)).size, nodes.length)
      for (const one of all)
        assert.ok(
          nodes.some((node) => node.name === one),
          one,
        )
      for (const { name: under, count } of nodes) {
        if (under === "") continue
        assert.equal(passingNames(all, { under, typed: "" }).length, count, under)
      }
      const sum = tree.reduce((total, { count }) => total + count, 0)
      assert.equal(sum, all.length)
    }),
  )
})

test("parts with one part below are one node", () => {
  const [node, ...others] = nameTree(["net.linux.cpu.total", "net.linux.cpu.user"])
  assert.equal(others.length, 0)
  assert.deepEqual([node!.label, node!.count], ["net.linux.cpu", 2])
  assert.deepEqual(
    node!.children.map(({ label }) => label),
    ["total", "user"],
  )
})

test("names pass that have all the typed words, in any case", () => {
  const all = ["mem.used", "cpu.total", "cpu.user"]
  assert.deepEqual(passingNames(all, { under: "cpu", typed: "" }), ["cpu.total", "cpu.user"])
  assert.deepEqual(passingNames(all, { under: "", typed: "USE cp" }), ["cpu.user"])
  assert.deepEqual(passingNames(["cpus", "cpu"], { under: "cpu", typed: "" }), ["cpu"])
})

test("a flat metric moves by nothing, whatever its size", () => {
  const of = (min: number | null, max: number | null) => {
    const rest = { avg: 0, last: 0, lastTime: 0, sum: 0, count: 1, p95: 0 }
    return activity({ summary: { min, max, ...rest } })
  }
  assert.equal(of(5e9, 5e9), 0)
  assert.equal(of(0, 0), 0)
  assert.equal(of(null, null), 0)
  assert.ok(of(1, 2) > of(1e9, 1.5e9))
})

test("pages do not choose the metric that the server added, and show it without a prefix", () => {
  const added = "netuitive.metrics.collected.percent"
  const line = (metricFqn: string, max: number): SeriesLine => {
    const summary = { min: 0, max, avg: 0, last: 0, lastTime: 0, sum: 0, count: 1, p95: null }
    const texts = { elementId: "", elementFqn: "", elementName: "", elementType: "", metricId: "" }
    return { ...texts, metricFqn, unit: "", group: null, isCounter: false, summary, values: {} }
  }
  const answers = [[line("disk", 5)], [line("flat", 0), line(added, 100), line("cpu", 9)]]
  assert.deepEqual(mostActive([...answers, answers[0]!]), ["disk", "cpu", "flat"])
  const lines = [line(added, 20), line("cpu", 20)]
  assert.equal(mainMetric({ marked: [], counted: lines, averaged: lines }), "cpu")
  assert.deepEqual(addedLast([{ fqn: added }, { fqn: "cpu" }]), [{ fqn: "cpu" }, { fqn: added }])
  assert.deepEqual([added, "netuitive.linux.cpu"].map(metricName), [
    "metrics.collected.percent",
    "netuitive.linux.cpu",
  ])
  const alone = (fqn: string, metrics: number) => holdsAddedAlone({ fqn, metrics })
  const nodes = [alone("netuitive", 1), alone("netuitive", 2), alone(added, 1), alone("net", 1)]
  assert.deepEqual(nodes, [true, false, true, false])
})
