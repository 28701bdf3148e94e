import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { QueryBudget } from "../../src/base/query-budget.ts"
import {
  groupTexts,
  pairsMatcher,
  textMatcher,
  textsMatcher,
} from "../../src/query/filter/filter.ts"
import { PatternCache } from "../../src/query/core/pattern-cache.ts"
import type {
  Group,
  ListGroup,
  ListItem,
  MapGroup,
  MapItem,
} from "../../src/wire/filter/list-group.ts"

const patterns = () => new PatternCache(new QueryBudget(), { remembers: true })

/** The rules of wire/filter/list-group.ts, written literally. */
function meaning<Item extends { readonly excludes: boolean }>(
  group: Group<Item>,
  matches: (item: Item) => boolean,
): boolean {
  const including = group.items.filter((item) => !item.excludes)
  if (group.items.some((item) => item.excludes && matches(item))) return false
  const verdicts = [
    ...including.map(matches),
    ...group.nested.map((nested) => meaning(nested, matches)),
  ]
  if (verdicts.length === 0) return true
  return group.and ? verdicts.every(Boolean) : verdicts.some(Boolean)
}

function passes(group: ListGroup, text: string): boolean {
  return meaning(group, (item) => matches(item, text))
}

function matches(item: ListItem, text: string): boolean {
  const [left, right] = item.caseless
    ? [text.toLowerCase(), item.text.toLowerCase()]
    : [text, item.text]
  if (item.match === "pattern") return new RegExp(item.text, item.caseless ? "i" : "").test(text)
  if (item.match === "equal") return left === right
  if (item.match === "wildcard") {
    return new RegExp(`^${right.replaceAll("*", "[^]*").replaceAll("?", "[^]")}$`).test(left)
  }
  return item.match === "prefix" ? left.startsWith(right) : left.includes(right)
}

const text = fc.string({ unit: fc.constantFrom("a", "b", "A", "B"), maxLength: 3 })
const wildcard = fc.string({ unit: fc.constantFrom("a", "b", "A", "*", "?"), maxLength: 5 })
const pattern = fc.constantFrom("a|B", "^a", "b$", "a+b", "^(a|B)*$", "[^a]", "")
const how = { caseless: fc.boolean(), excludes: fc.boolean() }
const item: fc.Arbitrary<ListItem> = fc.oneof(
  fc.record({ text, match: fc.constantFrom("equal", "equal", "prefix", "part"), ...how }),
  fc.record({ text: wildcard, match: fc.constant("wildcard"), ...how }),
  fc.record({ text: pattern, match: fc.constant("pattern"), ...how }),
)
const groupOf = (nested: fc.Arbitrary<ListGroup[]>): fc.Arbitrary<ListGroup> =>
  fc.record({ and: fc.boolean(), items: fc.array(item, { maxLength: 4 }), nested })
const leaf = groupOf(fc.constant([]))
const group = groupOf(fc.array(groupOf(fc.array(leaf, { maxLength: 2 })), { maxLength: 2 }))

test("a compiled group lets pass exactly what its meaning lets pass", () => {
  fc.assert(
    fc.property(group, fc.array(text, { minLength: 5 }), (group, texts) => {
      const test = textMatcher(group, patterns())
      for (const one of texts) assert.equal(test === null || test(one), passes(group, one))
    }),
    { numRuns: 1_000 },
  )
})

test("an item matches several texts if it matches one of them", () => {
  fc.assert(
    fc.property(group, fc.array(text, { maxLength: 4 }), (group, texts) => {
      const test = textsMatcher(group, patterns())
      const want = meaning(group, (item) => texts.some((one) => matches(item, one)))
      assert.equal(test === null || test(texts), want)
    }),
    { numRuns: 1_000 },
  )
})

const pair = fc.record({ name: text, value: text })
const anyText = fc.option(text, { freq: 3 })

test("an item of a map group matches a name with a value, either of which may be any", () => {
  const mapItem: fc.Arbitrary<MapItem> = fc
    .tuple(item, anyText, fc.boolean())
    .map(([{ text, ...rest }, key, isAny]) => ({ ...rest, key, text: isAny ? null : text }))
  const groups: fc.Arbitrary<MapGroup> = fc.record({
    and: fc.boolean(),
    items: fc.array(mapItem, { maxLength: 4 }),
    nested: fc.constant([]),
  })
  fc.assert(
    fc.property(groups, fc.array(pair, { maxLength: 4 }), (group, pairs) => {
      const test = pairsMatcher(group, patterns())
      const want = meaning(group, ({ key, text, ...item }) =>
        pairs.some(
          ({ name, value }) =>
            (key === null || key === name) && (text === null || matches({ ...item, text }, value)),
        ),
      )
      assert.equal(test === null || test(pairs), want)
    }),
    { numRuns: 1_000 },
  )
})

test("no other text passes a group than those of groupTexts", () => {
  fc.assert(
    fc.property(group, fc.array(text, { minLength: 5 }), (group, texts) => {
      const bound = groupTexts(group)
      if (bound === null) return
      for (const one of texts) if (passes(group, one)) assert.ok(bound.includes(one))
    }),
    { numRuns: 1_000 },
  )
})

test("equalities bound a group; with or, a pattern or a nested group unbounds it", () => {
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
