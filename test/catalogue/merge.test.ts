import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  mergeDefinition,
  mergedType,
  mergeInfo,
  newInfo,
  isSameInfo,
} from "../../src/catalogue/merge.ts"
import { defaultDefinition, type ElementPatch } from "../../src/model/element.ts"

const pair = fc.record({ name: fc.constantFrom("a", "b", "c"), value: fc.constantFrom("1", "2") })
const patch = fc.record(
  {
    name: fc.constantFrom("", "n1", "n2"),
    type: fc.constantFrom("SERVER", "DISK"),
    location: fc.constantFrom("here", "there"),
    tags: fc.array(pair, { maxLength: 3 }),
    attributes: fc.array(pair, { maxLength: 3 }),
    relations: fc.array(fc.constantFrom("x", "y", "z"), { maxLength: 3 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ElementPatch>

test("fields missing from a first post get their defaults", () => {
  const info = newInfo("srv-1", {}, 7)
  const lists = { tags: [], attributes: [], relations: [] }
  const want = { name: "srv-1", type: "unknown", location: null, ...lists, createdMs: 7 }
  assert.deepEqual(info, want)
})

test("absent fields stay, present ones win, and lists are merged by name, sorted", () => {
  const before = newInfo("srv-1", { type: "SERVER", tags: [{ name: "b", value: "1" }] }, 7)
  const tags = [
    { name: "b", value: "2" },
    { name: "a", value: "3" },
  ]
  const after = mergeInfo(before, { location: "here", tags, relations: ["y", "x", "y"] })
  assert.deepEqual(after.tags, [tags[1], tags[0]])
  assert.deepEqual(after.relations, ["x", "y"])
  assert.deepEqual([after.name, after.type, after.location], ["srv-1", "SERVER", "here"])
  assert.equal(after.createdMs, 7)
})

test("a repeated post changes nothing, whatever was posted before", () => {
  fc.assert(
    fc.property(patch, patch, (first, second) => {
      const known = mergeInfo(newInfo("e", first, 1), second)
      assert.ok(isSameInfo(mergeInfo(known, second), known))
      for (const list of [known.tags, known.attributes]) {
        const names = list.map(({ name }) => name)
        assert.deepEqual(names, [...new Set(names)].sort())
      }
    }),
  )
})

test("isSameInfo() detects a change of any field", () => {
  const info = newInfo("e", { tags: [{ name: "a", value: "1" }] }, 1)
  const f = (say: ElementPatch, same: boolean) =>
    assert.equal(isSameInfo(mergeInfo(info, say), info), same, JSON.stringify(say))

  f({}, true)
  f({ name: "" }, true)
  f({ tags: [{ name: "a", value: "1" }] }, true)
  f({ name: "other" }, false)
  f({ type: "DISK" }, false)
  f({ location: "here" }, false)
  f({ tags: [{ name: "a", value: "2" }] }, false)
  f({ attributes: [{ name: "a", value: "1" }] }, false)
  f({ relations: ["x"] }, false)
})

test("a type once that of a counter is not taken back by a post, but by that of another", () => {
  const f = (before: string, posted: string | undefined, want: string) =>
    assert.equal(mergedType(before, posted), want)
  for (const counter of ["COUNTER", "counter", "WRAPPING_COUNTER"]) {
    f("GAUGE", counter, counter)
    for (const other of ["GAUGE", "", "DERIVE", undefined]) f(counter, other, counter)
  }
  f("COUNTER", "WRAPPING_COUNTER", "WRAPPING_COUNTER")
  f("WRAPPING_COUNTER", "COUNTER", "COUNTER")
})

test("a definition keeps the fields that a post leaves out", () => {
  const counter = mergeDefinition(defaultDefinition, { type: "COUNTER", unit: "bytes" })
  assert.deepEqual(counter, { ...defaultDefinition, type: "COUNTER", unit: "bytes" })
  assert.deepEqual(mergeDefinition(counter, {}), counter)
  assert.equal(mergeDefinition(counter, { unit: "" }).unit, "")
})
