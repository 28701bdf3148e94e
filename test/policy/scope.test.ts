import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type { NameValue } from "../../src/model/element.ts"
import { matchAllScope, type PolicyScope } from "../../src/model/records/policy.ts"
import { ScopeMatcher, type ScopeSubject } from "../../src/policy/scope.ts"

const web: ScopeSubject = {
  fqn: "web-1",
  name: "Web One",
  type: "SERVER",
  tags: [
    { name: "Name", value: "my-server-one" },
    { name: "env", value: "prod" },
  ],
  attributes: [{ name: "cpus", value: "4" }],
}

function matches(scope: Partial<PolicyScope>, subject: ScopeSubject = web): boolean {
  return new ScopeMatcher({ ...matchAllScope, ...scope }).matches(subject)
}

test("each field of a scope includes and excludes elements as specified", () => {
  const f = (scope: Partial<PolicyScope>, want: boolean) =>
    assert.equal(matches(scope), want, JSON.stringify(scope))
  const tag = (name: string, value: string) => [{ name, value }]

  f({}, true)
  f({ elementName: "web" }, true)
  f({ elementName: "one" }, true)
  f({ elementName: "web.one" }, false)
  f({ elementName: "web.one", elementNameRegex: true }, true)
  f({ elementName: "^one", elementNameRegex: true }, false)
  f({ elementNameExclude: "ONE" }, false)
  f({ elementNameExclude: "^o", elementNameExcludeRegex: true }, true)
  f({ fqnIncludes: ["db", "web-1"] }, true)
  f({ fqnIncludes: ["db"] }, false)
  f({ fqnExcludes: ["web-1"] }, false)
  f({ elementType: "SERVER" }, true)
  f({ elementType: "server" }, false)
  f({ elementTypes: ["DB", "SERVER"] }, true)
  f({ elementTypes: ["DB"] }, false)
  f({ elementTags: tag("^Name$", "(my-server-one|my-server-two)") }, true)
  f({ elementTags: tag("^name$", "^MY-SERVER-ONE$") }, true)
  f({ elementTags: tag("am", "server") }, true)
  f({ elementTags: tag("^am", "") }, false)
  f({ elementTags: tag("env", "") }, true)
  f({ elementTags: [...tag("env", "prod"), ...tag("env", "test")] }, false)
  f({ elementTags: [...tag("env", "prod"), ...tag("env", "test")], elementTagsAll: false }, true)
  // Name and value have to be found in one and the same tag.
  f({ elementTags: tag("env", "server") }, false)
  f({ excludedElementTags: tag("env", "test") }, true)
  f({ excludedElementTags: [...tag("env", "test"), ...tag("env", "prod")] }, false)
  f({ elementAttributes: tag("cpus", "^4$") }, true)
  f({ elementAttributes: tag("cpus", "8") }, false)
  f({ excludedElementAttributes: tag("cpus", "") }, false)
})

const word = fc.constantFrom("a", "b", "ab", "ba")
const pairs: fc.Arbitrary<NameValue[]> = fc.array(fc.record({ name: word, value: word }), {
  maxLength: 3,
})
const subjects: fc.Arbitrary<ScopeSubject> = fc.record({
  fqn: word,
  name: word,
  type: word,
  tags: pairs,
  attributes: pairs,
})
const scopes: fc.Arbitrary<PolicyScope> = fc.record({
  elementName: fc.option(word),
  elementNameRegex: fc.boolean(),
  elementNameExclude: fc.option(word),
  elementNameExcludeRegex: fc.boolean(),
  fqnIncludes: fc.array(word, { maxLength: 2 }),
  fqnExcludes: fc.array(word, { maxLength: 1 }),
  elementType: fc.option(word),
  elementTypes: fc.array(word, { maxLength: 2 }),
  elementTags: pairs,
  elementTagsAll: fc.boolean(),
  excludedElementTags: pairs,
  elementAttributes: pairs,
  elementAttributesAll: fc.boolean(),
  excludedElementAttributes: pairs,
})

test("an element is in scope if and only if it passes each field on its own", () => {
  const fieldsOfGroups: (keyof PolicyScope)[][] = [
    ["elementName", "elementNameRegex"],
    ["elementNameExclude", "elementNameExcludeRegex"],
    ["fqnIncludes"],
    ["fqnExcludes"],
    ["elementType"],
    ["elementTypes"],
    ["elementTags", "elementTagsAll"],
    ["excludedElementTags"],
    ["elementAttributes", "elementAttributesAll"],
    ["excludedElementAttributes"],
  ]
  fc.assert(
    fc.property(scopes, subjects, (scope, subject) => {
      const alone = fieldsOfGroups.map((fields) => {
        const kept = Object.entries(scope).filter(([name]) => (fields as string[]).includes(name))
        return matches(Object.fromEntries(kept), subject)
      })
      assert.equal(matches(scope, subject), alone.every(Boolean))
    }),
  )
})

test("demanding all entries of a list takes no more than demanding any", () => {
  fc.assert(
    fc.property(scopes, subjects, (scope, subject) => {
      const all = matches({ ...scope, elementTagsAll: true, elementAttributesAll: true }, subject)
      const any = { ...scope, elementTagsAll: false, elementAttributesAll: false }
      if (all) assert.ok(matches(any, subject))
    }),
  )
})

/** A backtracking engine would need 2^500 steps for it; this test would never end. */
test("an expression that makes other engines backtrack is matched in linear time", () => {
  const long = { ...web, name: `${"a".repeat(500)}!` }
  assert.equal(matches({ elementName: "(a+)+$", elementNameRegex: true }, long), false)
})
