import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { relatedElementsMax } from "../../src/base/limits/queries.ts"
import { RelationGraph, within } from "../../src/query/elements/relationships.ts"
import { FakeStore, ask, requestOf } from "./fake-store.ts"

const nodes = 7
const relations = fc.array(fc.tuple(fc.nat({ max: nodes - 1 }), fc.nat({ max: nodes })), {
  maxLength: 14,
})

function storeOf(pairs: readonly (readonly [number, number])[]): FakeStore {
  const store = new FakeStore()
  for (let node = 0; node < nodes; node++) {
    const targets = pairs.filter(([poster]) => poster === node).map(([, target]) => `e${target}`)
    store.element(`e${node}`, { relations: targets })
  }
  return store
}

/** Distances by relaxing every edge, again and again, until nothing is nearer. */
function naiveDistances(pairs: readonly (readonly [number, number])[], root: number): number[] {
  const distances = Array.from({ length: nodes }, (_, node) => (node === root ? 0 : Infinity))
  for (let round = 0; round < nodes; round++) {
    for (const [left, right] of pairs) {
      if (right >= nodes) continue
      distances[left] = Math.min(distances[left]!, distances[right]! + 1)
      distances[right] = Math.min(distances[right]!, distances[left]! + 1)
    }
  }
  return distances
}

test("within() finds exactly the elements within the steps, nearest first", () => {
  fc.assert(
    fc.property(
      relations,
      fc.nat({ max: nodes - 1 }),
      fc.nat({ max: 8 }),
      (pairs, root, levels) => {
        const { catalogue } = storeOf(pairs)
        const graph = new RelationGraph(catalogue, 0)
        const found = within(graph, { root, levels, max: nodes })!
        const distances = naiveDistances(pairs, root)
        const want = distances.flatMap((distance, node) => (distance <= levels ? [node] : []))
        assert.deepEqual([...found].sort(), want)
        const order = found.map((node) => distances[node]!)
        assert.deepEqual(
          order,
          [...order].sort((left, right) => left - right),
        )
        if (want.length > 1)
          assert.equal(within(graph, { root, levels, max: want.length - 1 }), null)
      },
    ),
  )
})

test("edges are the relations between those that are shown, from member to owner", async () => {
  await fc.assert(
    fc.asyncProperty(relations, fc.integer({ min: 1, max: 4 }), async (pairs, levels) => {
      const params = { elementId: "e0", levels: String(levels) }
      const { relationships } = await ask(storeOf(pairs), requestOf("relationships", params))
      const names = new Map<string, string>(
        relationships.nodes.map((node: { id: string; label: string }) => [node.id, node.label]),
      )
      const shown = new Set(names.values())
      const want = pairs
        .map(([poster, target]) => [`e${target}`, `e${poster}`] as const)
        .filter((pair) => pair.every((name) => shown.has(name)))
        .map(([member, owner]) => `${member} of ${owner}`)
      const got = relationships.edges.map(
        ({ source, target }: { source: string; target: string }) =>
          `${names.get(source)} of ${names.get(target)}`,
      )
      assert.deepEqual(got.sort(), [...new Set(want)].sort())
    }),
  )
})

test("relations of another tenant and of deleted elements lead nowhere", async () => {
  const store = new FakeStore()
  store.element("a", { relations: ["b", "c"] })
  const b = store.element("b", { relations: ["d"] })
  store.element("c")
  store.element("d")
  store.element("a", { relations: ["d"] }, 1)
  store.catalogue.replaceElementInfo(b, { ...store.catalogue.elementInfo(b), deletedMs: 1 })
  const { relationships } = await ask(
    store,
    requestOf("relationships", { elementId: "a", levels: "9" }),
  )
  const labels = relationships.nodes.map(({ label }: { label: string }) => label)
  assert.deepEqual(labels, ["a", "c"])
})

test("surroundings over the limit are refused, with what to do about it", async () => {
  const store = new FakeStore()
  const relations = Array.from({ length: relatedElementsMax }, (_, i) => `n${i}`)
  store.element("hub", { relations })
  for (const fqn of relations) store.element(fqn)
  const request = requestOf("relationships", { elementId: "hub" })
  await assert.rejects(() => ask(store, request), /levels: more than 10000 elements.*fewer levels/)
})
