import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { IndexSet } from "../../src/query/core/index-set.ts"

const capacity = 200
const members = fc.array(fc.nat(capacity - 1))

test("an IndexSet holds what was added, once, in ascending order", () => {
  fc.assert(
    fc.property(members, fc.nat(250), fc.nat(250), (added, from, to) => {
      const set = IndexSet.of(capacity, added)
      const want = [...new Set(added)].sort((left, right) => left - right)
      assert.equal(set.size, want.length)
      assert.deepEqual([...set.toArray()], want)
      assert.deepEqual(Array.from(set.slice(from, to)), want.slice(from, Math.max(from, to)))
      const visited: number[] = []
      set.forEach((member) => visited.push(member))
      assert.deepEqual(visited, want)
      for (let i = 0; i < capacity; i++) assert.equal(set.has(i), want.includes(i))
    }),
  )
})
