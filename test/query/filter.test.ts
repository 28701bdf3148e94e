import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { groupTest, groupTexts } from "../../src/query/filter.ts"
import type { ListGroup, ListItem } from "../../src/wire/list-group.ts"

/** What wire/list-group.ts says, word by word. */
function passes(group: ListGroup, text: string): boolean {
  const including = group.items.filter((item) => !item.excludes)
  if (group.items.some((item) => item.excludes && matches(item, text))) return false
  const verdicts = [
    ...including.map((item) => matches(item, text)),
    ...group.nested.map((nested) => passes(nested, text)),
  ]
  if (verdicts.length === 0) return true
  return group.and ? verdicts.every(Boolean) : verdicts.some(Boolean)
}

function matches(item: ListItem, text: string): boolean {
  const [left, right] = item.caseless
    ? [text.toLowerCase(), item.text.toLowerCase()]
    : [text, item.text]
  if (item.match === "equal") return left === right
  return item.match === "prefix" ? left.startsWith(right) : left.includes(right)
}

const text = fc.string({ unit: fc.constantFrom("a", "b", "A", "B"), maxLength: 3 })
const item: fc.Arbitrary<ListItem> = fc.record({
  text,
  match: fc.constantFrom("equal", "equal", "prefix", "part"),
  caseless: fc.boolean(),
  excludes: fc.boolean(),
})
const groupOf = (nested: fc.Arbitrary<ListGroup[]>): fc.Arbitrary<ListGroup> =>
  fc.record({ and: fc.boolean(), items: fc.array(item, { maxLength: 4 }), nested })
const leaf = groupOf(fc.constant([]))
const group = groupOf(fc.array(groupOf(fc.array(leaf, { maxLength: 2 })), { maxLength: 2 }))

test("a compiled group lets pass exactly what its meaning lets pass", () => {
  fc.assert(
    fc.property(group, fc.array(text, { minLength: 5 }), (group, texts) => {
      const test = groupTest(group)
      for (const one of texts) assert.equal(test === null || test(one), passes(group, one))
    }),
    { numRuns: 1_000 },
  )
})

test("nothing passes a group beside the texts that it is said to be bound to", () => {
  fc.assert(
    fc.property(group, fc.array(text, { minLength: 5 }), (group, texts) => {
      const bound = groupTexts(group)
      if (bound === null) return
      for (const one of texts) if (passes(group, one)) assert.ok(bound.includes(one))
    }),
    { numRuns: 1_000 },
  )
})

test("equalities bind a group; with or, a pattern or a nested group beside them frees it", () => {
  const equal = (text: string): ListItem => ({
    text,
    match: "equal",
    caseless: false,
    excludes: false,
  })
  const part: ListItem = { ...equal("x"), match: "part" }
  const not: ListItem = { ...equal("y"), excludes: true }
  const f = (and: boolean, items: ListItem[], want: string[] | null) =>
    assert.deepEqual(groupTexts({ and, items, nested: [] }), want)

  f(true, [equal("a")], ["a"])
  f(false, [equal("a"), equal("b"), equal("a"), not], ["a", "b"])
  f(true, [equal("a"), part], ["a"])
  f(false, [equal("a"), part], null)
  f(false, [not], null)
  f(true, [], null)
  const nested = [{ and: true, items: [], nested: [] }]
  assert.equal(groupTexts({ and: false, items: [equal("a")], nested }), null)
})
