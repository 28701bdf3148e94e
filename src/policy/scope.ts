/**
 * Scopes: which elements a policy is for (spec/policies §2).
 *
 *   an element is in scope if it meets every given criterion
 *     name         contains a text, or matches an expression; excluded likewise
 *     FQN          is one of the includes, and none of the excludes
 *     type         is one of the types
 *     tags         match all, or any, of the entries, and none of the excluded ones
 *     attributes   likewise
 *   a tag matches an entry if its name and its value match the entry's expressions
 *
 * Texts and expressions match anywhere, ignoring case; types and FQNs are compared exactly.
 */

import type { NameValue } from "../model/element.ts"
import type { PolicyScope } from "../model/records/policy.ts"
import { containsPattern } from "./memoize-match.ts"

/** The fields of an element that scopes test. */
export interface ScopeSubject {
  readonly fqn: string
  readonly name: string
  readonly type: string
  /** Posted tags and those set by users. */
  readonly tags: readonly NameValue[]
  readonly attributes: readonly NameValue[]
}

type Test = (subject: ScopeSubject) => boolean

/**
 * A compiled scope. Its expressions were validated when it was stored.
 *
 * @example
 * import { matchAllScope } from "../model/records/policy.ts"
 * const elementTags = [{ name: "env", value: "^prod" }]
 * const scope = new ScopeMatcher({ ...matchAllScope, elementType: "SERVER", elementTags })
 * const web = { fqn: "web-1", name: "web-1", type: "SERVER", attributes: [] }
 * assert.ok(scope.matches({ ...web, tags: [{ name: "env", value: "Production" }] }))
 * assert.ok(!scope.matches({ ...web, tags: [] }))
 */
export class ScopeMatcher {
  private readonly tests: readonly Test[]

  constructor(scope: PolicyScope) {
    this.tests = [
      ...nameTests(scope),
      ...fqnTests(scope),
      ...typeTests(scope),
      ...tagTests(scope),
      ...attributeTests(scope),
    ]
  }

  matches(subject: ScopeSubject): boolean {
    return this.tests.every((test) => test(subject))
  }
}

function nameTests(scope: PolicyScope): Test[] {
  const { elementName, elementNameRegex, elementNameExclude, elementNameExcludeRegex } = scope
  const tests: Test[] = []
  if (elementName) {
    const isIncluded = textTest(elementName, elementNameRegex)
    tests.push(({ name }) => isIncluded(name))
  }
  if (elementNameExclude) {
    const isExcluded = textTest(elementNameExclude, elementNameExcludeRegex)
    tests.push(({ name }) => !isExcluded(name))
  }
  return tests
}

function textTest(part: string, isPattern: boolean): (text: string) => boolean {
  if (isPattern) return containsPattern(part)
  const wanted = part.toLowerCase()
  return (text) => text.toLowerCase().includes(wanted)
}

function fqnTests({ fqnIncludes, fqnExcludes }: PolicyScope): Test[] {
  const [includes, excludes] = [new Set(fqnIncludes), new Set(fqnExcludes)]
  const tests: Test[] = []
  if (includes.size > 0) tests.push(({ fqn }) => includes.has(fqn))
  if (excludes.size > 0) tests.push(({ fqn }) => !excludes.has(fqn))
  return tests
}

function typeTests({ elementType, elementTypes }: PolicyScope): Test[] {
  const types = new Set(elementTypes)
  const tests: Test[] = []
  if (elementType) tests.push(({ type }) => type === elementType)
  if (types.size > 0) tests.push(({ type }) => types.has(type))
  return tests
}

function tagTests({ elementTags, elementTagsAll, excludedElementTags }: PolicyScope): Test[] {
  const wanted = { entries: elementTags, all: elementTagsAll, excluded: excludedElementTags }
  return pairTests(wanted, ({ tags }) => tags)
}

function attributeTests(scope: PolicyScope): Test[] {
  const { elementAttributes, elementAttributesAll, excludedElementAttributes } = scope
  const wanted = {
    entries: elementAttributes,
    all: elementAttributesAll,
    excluded: excludedElementAttributes,
  }
  return pairTests(wanted, ({ attributes }) => attributes)
}

interface WantedPairs {
  readonly entries: readonly NameValue[]
  readonly all: boolean
  readonly excluded: readonly NameValue[]
}

function pairTests(
  { entries, all, excluded }: WantedPairs,
  pairsOf: (subject: ScopeSubject) => readonly NameValue[],
): Test[] {
  const [wanted, unwanted] = [entries.map(pairTest), excluded.map(pairTest)]
  const tests: Test[] = []
  if (wanted.length > 0) {
    tests.push((subject) => {
      const pairs = pairsOf(subject)
      return all ? wanted.every((test) => test(pairs)) : wanted.some((test) => test(pairs))
    })
  }
  if (unwanted.length > 0) {
    tests.push((subject) => {
      const pairs = pairsOf(subject)
      return !unwanted.some((test) => test(pairs))
    })
  }
  return tests
}

/** Tests whether one tag or attribute matches an entry. */
function entryMatcher(entry: NameValue): (pair: NameValue) => boolean {
  const [isName, isValue] = [containsPattern(entry.name), containsPattern(entry.value)]
  return ({ name, value }) => isName(name) && isValue(value)
}

function pairTest(entry: NameValue): (pairs: readonly NameValue[]) => boolean {
  const test = entryMatcher(entry)
  return (pairs) => pairs.some(test)
}
