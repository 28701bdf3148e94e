/** Relations of an element without a browser: what is drawn, where, and moves between nodes. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { moveBy } from "../../src/web/pages/element/relations/moves.ts"
import { relationLayout } from "../../src/web/pages/element/relations/relation-layout.ts"
import {
  crossRelationsMax,
  drawnElementsMax,
  joinedNodesMax,
  relationView,
} from "../../src/web/pages/element/relations/relation-view.ts"

const types = ["SERVER", "<img>", ""]

function elementOf(number: number) {
  const fqn = `web-${number}`
  return { id: String(number), fqn, name: fqn, type: types[number % types.length]! }
}

/** Relations between the numbers below `count`, which may form cycles and lead to themselves. */
const relations = fc.integer({ min: 1, max: 12 }).chain((count) => {
  const number = fc.integer({ min: 0, max: count - 1 })
  const pair = fc.tuple(number, number)
  return fc.array(pair, { maxLength: 24 }).map((pairs) => ({
    elements: Array.from({ length: count }, (_, i) => elementOf(i)),
    memberships: pairs.map(([member, container]) => {
      return { member: String(member), container: String(container) }
    }),
  }))
})

function starOf(count: number) {
  const elements = Array.from({ length: count }, (_, i) => elementOf(i))
  const members = elements.slice(1)
  return { elements, memberships: members.map(({ id }) => ({ member: id, container: "0" })) }
}

test("each reachable element is one node, each of their relations is drawn once", () => {
  fc.assert(
    fc.property(relations, (given) => {
      const { nodes, memberships, total, drawn } = relationView(given, "0")
      const ids = nodes.map(({ id }) => id)
      assert.equal(ids[0], "0")
      assert.equal(new Set(ids).size, nodes.length)
      assert.deepEqual([nodes.length, drawn], [total, total])
      const keys = memberships.map(({ member, container }) => `${member} ${container}`)
      const expected = given.memberships
        .filter(({ member, container }) => member !== container)
        .filter(({ member, container }) => ids.includes(member) && ids.includes(container))
        .map(({ member, container }) => `${member} ${container}`)
      assert.deepEqual([...keys].sort(), [...new Set(expected)].sort())
    }),
  )
})

test("steps of a node are one more than the least of its neighbours", () => {
  fc.assert(
    fc.property(relations, (given) => {
      const { nodes, memberships } = relationView(given, "0")
      const steps = new Map(nodes.map((one) => [one.id, one.kind === "element" ? one.steps : -1]))
      for (const { id } of nodes.slice(1)) {
        const near = memberships.flatMap(({ member, container }) => {
          if (member === id) return [steps.get(container)!]
          return container === id ? [steps.get(member)!] : []
        })
        assert.equal(steps.get(id), Math.min(...near) + 1)
      }
    }),
  )
})

test("above the limit the nearest are drawn, and each other one counts in a joined node", () => {
  const count = drawnElementsMax + 40
  const { nodes, memberships, total, drawn } = relationView(starOf(count), "0")
  assert.deepEqual([total, drawn], [count, drawnElementsMax])
  const joined = nodes.filter((node) => node.kind === "joined")
  assert.equal(
    joined.reduce((sum, node) => sum + node.count, 0),
    total - drawn,
  )
  assert.deepEqual(new Set(joined.map(({ type }) => type)), new Set(types))
  for (const { id } of joined) {
    assert.ok(memberships.some((one) => one.member === id && one.container === "0"))
  }
})

test("relations that cross, and joined nodes, have limits too", () => {
  const count = drawnElementsMax
  const elements = Array.from({ length: count }, (_, i) => ({
    ...elementOf(i),
    type: `TYPE ${i}`,
  }))
  const memberships = elements.flatMap(({ id }, i) =>
    [1, 2, 3].map((by) => ({ member: id, container: String((i + by) % count) })),
  )
  const view = relationView({ elements, memberships }, "0")
  const ofDrawn = view.memberships.length - (view.nodes.length - view.drawn)
  assert.ok(view.drawn < view.total)
  assert.ok(ofDrawn - (view.drawn - 1) <= crossRelationsMax, String(ofDrawn))
  assert.equal(view.nodes.length - view.drawn, joinedNodesMax)
})

test("an element that is not in the answer has nothing", () => {
  assert.deepEqual(relationView({ elements: [], memberships: [] }, "0").nodes, [])
})

test("nodes do not overlap, lie within the picture, and every relation has a path", () => {
  fc.assert(
    fc.property(relations, (given) => {
      const view = relationView(given, "0")
      const { nodes, memberships, width, height } = relationLayout(view)
      assert.equal(memberships.length, view.memberships.length)
      for (const { path, arrow } of memberships) {
        assert.match(path, /^M[-\d. ]+(C[-\d. ]+)+$/)
        assert.match(arrow, /^M[-\d. ]+l-?7 -4v8z$/)
      }
      nodes.forEach(({ x, y }, i) => {
        assert.ok(x >= 0 && y >= 0 && x + 184 <= width && y + 48 <= height)
        const others = nodes.slice(i + 1)
        assert.ok(others.every((one) => Math.abs(one.x - x) >= 184 || Math.abs(one.y - y) >= 48))
      })
    }),
    { numRuns: 50 },
  )
})

test("a container is to the left of its members if relations have no cycle", () => {
  const { nodes } = relationLayout(relationView(starOf(5), "0"))
  const [container, ...members] = nodes
  assert.equal(members.length, 4)
  for (const { x } of members) assert.ok(x > container!.x)
})

test("arrows reach every node from every node, and end at the edges", () => {
  fc.assert(
    fc.property(relations, (given) => {
      const { nodes } = relationLayout(relationView(given, "0"))
      const keys = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]
      for (let start = 0; start < nodes.length; start++) {
        const found = new Set([start])
        for (const at of found) for (const key of keys) found.add(moveBy(key, nodes, at)!)
        assert.equal(found.size, nodes.length)
      }
      assert.equal(moveBy("Enter", nodes, 0), null)
      assert.equal(moveBy("toString", nodes, 0), null)
    }),
    { numRuns: 50 },
  )
})
