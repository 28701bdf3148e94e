import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { nearest } from "../../src/wire/nearest.ts"

const names = ["duration", "startTime", "endTime", "elementType", "elementTypes", "conditions"]

test("one character too many, too few, wrong or swapped still names the name", () => {
  assert.equal(nearest("durations", names), "duration")
  assert.equal(nearest("conditons", names), "conditions")
  assert.equal(nearest("startTine", names), "startTime")
  assert.equal(nearest("endTiem", names), "endTime")
  assert.equal(nearest("STARTTIME", names), "startTime")
})

test("what is like no name has no nearest one", () => {
  assert.equal(nearest("zzz", names), null)
  assert.equal(nearest("", names), null)
  assert.equal(nearest("duration".repeat(9), names), null)
  assert.equal(nearest("duration", []), null)
})

test("a part of a known name, or a longer one with it, names it", () => {
  assert.equal(nearest("elementType", ["id", "name", "type"]), "type")
  assert.equal(nearest("start", names), "startTime")
  assert.equal(nearest("Element", names), "elementType")
  assert.equal(nearest("id", ["ids-of-elements"]), null)
})

test("a swap is one edit: it beats a name that is two edits away", () => {
  assert.equal(nearest("abdc", ["axyc", "abcd"]), "abcd")
})

const edited = fc
  .record({ name: fc.constantFrom(...names), at: fc.nat(7), with: fc.constantFrom("", "x", "Q7") })
  .map(({ name, at, with: text }) => ({
    name,
    word: name.slice(0, at) + text + name.slice(at + 1),
  }))

test("law: a name is nearest to itself, and an edit of it is near to some name", () => {
  fc.assert(
    fc.property(edited, ({ name, word }) => {
      assert.equal(nearest(name, names), name)
      assert.notEqual(nearest(word, names), null)
    }),
  )
})
