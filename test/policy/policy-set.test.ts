import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { matchAllScope, type PolicyScope } from "../../src/model/records/policy.ts"
import { isInMaintenance } from "../../src/policy/maintenance.ts"
import { PolicySet } from "../../src/policy/policy-set.ts"
import { ScopeMatcher, type ScopeSubject } from "../../src/policy/scope.ts"
import { conditionOf, cycleOf, policyOf } from "./cycles.ts"

const word = fc.constantFrom("prod", "Prod", "test", "web", "disk", "K", "k", "ſ", "s", "")
const pattern = fc.constantFrom("^prod$", "prod", "^k$", "^s$", "t", ".", "^(web|disk)$", "")
const pairs = fc.array(fc.record({ name: word, value: word }), { maxLength: 3 })
const entries = fc.array(fc.record({ name: pattern, value: pattern }), { maxLength: 2 })
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>, none: Value) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(none) }, { weight: 1, arbitrary })

const scope: fc.Arbitrary<PolicyScope> = fc.record({
  elementName: maybe<string | null>(fc.constantFrom("eb-", "EB-SK", "web-disk", "b"), null),
  elementNameRegex: fc.boolean(),
  elementNameExclude: maybe<string | null>(word, null),
  elementNameExcludeRegex: fc.constant(false),
  fqnIncludes: maybe<string[]>(fc.array(word, { minLength: 1, maxLength: 2 }), []),
  fqnExcludes: maybe<string[]>(fc.array(word, { maxLength: 2 }), []),
  elementType: maybe<string | null>(word, null),
  elementTypes: maybe<string[]>(fc.array(word, { maxLength: 2 }), []),
  elementTags: maybe(entries, []),
  elementTagsAll: fc.boolean(),
  excludedElementTags: maybe(entries, []),
  elementAttributes: maybe(entries, []),
  elementAttributesAll: fc.boolean(),
  excludedElementAttributes: maybe(entries, []),
})

const subject: fc.Arbitrary<ScopeSubject> = fc.record({
  fqn: word,
  name: fc.constantFrom("web-disk", "Web-Sk", "a", "", "EB-", "prod"),
  type: word,
  tags: pairs,
  attributes: pairs,
})

test("the index finds the policies that testing each of them finds", () => {
  fc.assert(
    fc.property(
      fc.array(scope, { maxLength: 12 }),
      fc.array(subject, { maxLength: 6 }),
      (scopes, subjects) => {
        const set = new PolicySet(scopes.map((one, i) => policyOf({ id: String(i), scope: one })))
        const matchers = scopes.map((one) => new ScopeMatcher(one))
        for (const one of subjects) {
          const want = matchers.flatMap((matcher, place) => (matcher.matches(one) ? [place] : []))
          assert.deepEqual([...set.policiesFor(one)], want)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test("policies that are disabled or deleted watch nothing", () => {
  const off = [policyOf({ enabled: false }), policyOf({ deleted: true })]
  assert.equal(new PolicySet(off).matchers.length, 0)
})

test("policies of an element are selected again if its catalogue entry changes", () => {
  const web: ScopeSubject = { fqn: "a", name: "a", type: "WEB", tags: [], attributes: [] }
  const set = new PolicySet([policyOf({ scope: { ...matchAllScope, elementType: "WEB" } })])
  let asked = 0
  const policies = (info: object, type: string) =>
    set.policiesOf(info, () => {
      asked++
      return { ...web, type }
    }).length
  const [before, after] = [{}, {}]
  assert.equal(policies(before, "WEB"), 1)
  assert.equal(policies(before, "WEB"), 1)
  assert.equal(asked, 1)
  assert.equal(policies(after, "DB"), 0)
  assert.equal(asked, 2)
})

test("maintenance lasts from its tag to its end, or until it is taken off", () => {
  const f = (state: string, end: string | null, want: boolean) => {
    const tags = [{ name: "n.state.maintenance", value: state }]
    if (end !== null) tags.push({ name: "n.state.maintenance_end", value: end })
    assert.equal(isInMaintenance(tags, 1_000), want, `${state} ${end}`)
  }
  f("true", null, true)
  f("true", "-1", true)
  f("true", "1001", true)
  f("true", "1000", false)
  f("false", "-1", false)
  f("TRUE", "soon", true)
  assert.equal(isInMaintenance([{ name: "n.state.maintenance_end", value: "-1" }], 0), false)
  assert.equal(isInMaintenance(undefined, 0), false)
})

test("only policies for an element whose conditions match report violations", () => {
  const condition = conditionOf({ level: 90 })
  const set = new PolicySet([
    policyOf({ id: "high", conditions: [condition] }),
    policyOf({
      id: "other",
      conditions: [condition],
      scope: { ...matchAllScope, elementType: "DB" },
    }),
    policyOf({ id: "low", conditions: [{ ...condition, operator: "<" }] }),
    policyOf({ id: "events only" }),
  ])
  const element = { fqn: "a", name: "a", type: "WEB", location: null, tags: [] }
  const watching = set.policiesFor({ ...element, attributes: [] })
  const cycle = cycleOf({ fqn: "cpu.total", values: [97] })
  const found = set.violations(watching, cycle, () => ({ ...element, id: "id of a" }))
  assert.deepEqual(
    found.map(({ policyId, results }) => [policyId, results.metrics]),
    [["high", ["cpu.total"]]],
  )
  // It travels between threads as it is.
  assert.deepEqual(structuredClone(found), found)
})
