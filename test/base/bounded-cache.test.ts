import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { BoundedCache, type Eviction } from "../../src/base/bounded-cache.ts"

const key = fc.nat(9)
const operation = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), key, value: fc.nat() }),
  fc.record({ kind: fc.constant("delete" as const), key, value: fc.constant(0) }),
)

function checkAgainst(eviction: Eviction, evict: (model: [number, number][]) => void): void {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(operation), (entriesMax, operations) => {
      const cache = new BoundedCache<number, number>(entriesMax, eviction)
      let model: [number, number][] = []
      for (const { kind, key, value } of operations) {
        const isKnown = model.some(([one]) => one === key)
        model = model.filter(([one]) => one !== key)
        if (kind === "delete") assert.equal(cache.delete(key), isKnown)
        else {
          if (!isKnown && model.length >= entriesMax) evict(model)
          model.push([key, value])
          cache.set(key, value)
        }
        assert.equal(cache.size, model.length)
        assert.ok(cache.size <= entriesMax)
        for (let one = 0; one <= 9; one++) {
          const entry = model.find(([known]) => known === one)
          assert.equal(cache.has(one), entry !== undefined)
          assert.equal(cache.get(one), entry?.[1])
        }
      }
    }),
  )
}

test("a full cache with eviction of all is empty before the new entry is set", () => {
  checkAgainst("all", (model) => model.splice(0))
})

test("a full cache with eviction of the oldest drops the entry set longest ago", () => {
  checkAgainst("oldest", (model) => model.shift())
})

test("a caller that sets what it gets keeps the most recently used entries", () => {
  const cache = new BoundedCache<string, number>(2, "oldest")
  cache.set("a", 1)
  cache.set("b", 2)
  cache.set("a", cache.get("a")!)
  cache.set("c", 3)
  assert.deepEqual([cache.get("a"), cache.get("b"), cache.get("c")], [1, undefined, 3])
})

test("undefined is a value like any other", () => {
  const cache = new BoundedCache<string, undefined>(1, "all")
  cache.set("a", undefined)
  assert.equal(cache.has("a"), true)
  cache.clear()
  assert.equal(cache.has("a"), false)
})
