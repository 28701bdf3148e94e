/** Completion of typed filters: what is asked for, and that a choice means itself. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  completionOf,
  withField,
  withTerm,
  withValue,
} from "../../src/web/url/filter-completion.ts"
import {
  parseFilter,
  plainFields,
  printFilter,
  type FilterField,
  type FilterTerm,
  type FilterValue,
} from "../../src/web/url/filter-language.ts"

const someText = fc.string({ minLength: 1, maxLength: 12, unit: "binary" })
const hostileText = fc.oneof(
  someText,
  fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'a,:"\\/ -*.') }),
)
const someField: fc.Arbitrary<FilterField> = fc.oneof(
  fc.constantFrom(...plainFields).map((kind) => ({ kind })),
  fc.record(
    { kind: fc.constantFrom("tag" as const, "attr" as const), key: someText },
    { noNullPrototype: true },
  ),
)
const someValue: fc.Arbitrary<FilterValue> = fc.oneof(
  fc.record(
    { text: hostileText, match: fc.constantFrom("plain" as const, "equal" as const) },
    { noNullPrototype: true },
  ),
  fc.constant({ text: "web-[0-9]/.*", match: "pattern" }),
)
const someTerms: fc.Arbitrary<FilterTerm[]> = fc.array(
  fc.record(
    {
      isNot: fc.boolean(),
      field: someField,
      values: fc.array(someValue, { minLength: 1, maxLength: 2 }),
    },
    { noNullPrototype: true },
  ),
  { maxLength: 2 },
)

test("the end of a text says what may follow", () => {
  const f = (typed: string, searched: string | null, wanted?: object, before?: string) => {
    const found = completionOf(typed)
    assert.equal(found?.searched ?? null, searched, typed)
    if (wanted !== undefined) assert.deepEqual(found!.wanted, wanted, typed)
    if (before !== undefined) assert.equal(found!.before, before, typed)
  }
  const value = (field: FilterField) => ({ kind: "value", field })
  f("", null)
  f("we", "we", { kind: "word" }, "")
  f("type:SERVER we", "we", { kind: "word" }, "type:SERVER ")
  f("-we", "we", { kind: "word" }, "-")
  f("type:", "", value({ kind: "type" }), "type:")
  f("type:SER", "SER", value({ kind: "type" }), "type:")
  f("type:SERVER,CON", "CON", value({ kind: "type" }), "type:SERVER,")
  f('-name:"web 1', "web 1", value({ kind: "name" }), "-name:")
  f("tag.", "", { kind: "key", of: "tag" }, "")
  f("-attr.os", "os", { kind: "key", of: "attr" }, "-")
  f("tag.env:pr", "pr", value({ kind: "tag", key: "env" }), "tag.env:")
  f("tag.a\\:b:c", "c", value({ kind: "tag", key: "a:b" }), "tag.a\\:b:")
  f("name:/we", null)
  f("name:/we b/", null)
  f('name:"web"', null)
  f('name:"web" x', "x", { kind: "word" })
  f("unknown:x", null)
  f("web,db", null)
  f("type:a ", null)
})

test("a chosen value means itself, and what is in front of it stays", () => {
  fc.assert(
    fc.property(someTerms, someField, hostileText, fc.boolean(), (terms, field, text, isNot) => {
      const front = printFilter(terms)
      const name = "key" in field ? null : field.kind
      const start = name === null ? withField(wordAfter(front, isNot), field) : `${name}:`
      const typed = name === null ? start : `${wordAfter(front, isNot).before}${start}`
      const completion = completionOf(typed)
      assert(completion !== null)
      assert.deepEqual(completion.wanted, { kind: "value", field })
      const { terms: parsed, problems } = parseFilter(withValue(completion, field, text))
      assert.deepEqual(problems, [])
      assert.deepEqual(parsed.slice(0, -1), parseFilter(front).terms)
      const last = parsed.at(-1)!
      assert.deepEqual([last.isNot, last.field], [isNot, field])
      assert.deepEqual(
        last.values.map((one) => one.text),
        [text],
      )
      assert.notEqual(last.values[0]!.match, "pattern")
    }),
  )
})

test("a chosen tag or element in the place of a word means itself", () => {
  fc.assert(
    fc.property(someField, hostileText, fc.boolean(), (field, text, isNot) => {
      const { terms, problems } = parseFilter(withTerm(wordAfter("", isNot), field, text))
      assert.deepEqual(problems, [])
      assert.equal(terms.length, 1)
      assert.deepEqual([terms[0]!.isNot, terms[0]!.field], [isNot, field])
      assert.deepEqual(
        terms[0]!.values.map((one) => one.text),
        [text],
      )
    }),
  )
})

test("no text makes the completion throw, and what it names is at the end", () => {
  fc.assert(
    fc.property(fc.oneof(hostileText, someTerms.map(printFilter)), (typed) => {
      const found = completionOf(typed)
      assert(found === null || typed.startsWith(found.before))
    }),
  )
})

function wordAfter(front: string, isNot: boolean) {
  const before = `${front}${front === "" ? "" : " "}${isNot ? "-" : ""}`
  return { before, searched: "x", wanted: { kind: "word" } } as const
}
