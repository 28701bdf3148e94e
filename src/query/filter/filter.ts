/** Filter groups as tests (wire/filter/list-group.ts says what they mean). */

import { matchesWildcard } from "../../base/text/pattern.ts"
import type { NameValue } from "../../model/element.ts"
import type { PatternCache } from "../core/pattern-cache.ts"
import type { Group, ListGroup, ListItem, MapGroup, MapItem } from "../../wire/filter/list-group.ts"

export type Matcher<Thing> = (thing: Thing) => boolean

/** How items match a thing: one of them, and whether any of several does. */
interface Matching<Item, Thing> {
  readonly one: (item: Item) => Matcher<Thing>
  readonly any: (items: readonly Item[]) => Matcher<Thing>
}

/** The matcher of a group for a text; null if everything passes. */
export function textMatcher(group: ListGroup, patterns: PatternCache): Matcher<string> | null {
  return groupMatcher(group, {
    one: (item) => itemMatcher(item, patterns),
    any: (items) => anyTextOf(items, patterns),
  })
}

/** The test of a group over several texts, of which one is enough for an item. */
export function textsMatcher(
  group: ListGroup,
  patterns: PatternCache,
): Matcher<readonly string[]> | null {
  const some = (test: Matcher<string>) => (texts: readonly string[]) => texts.some(test)
  return groupMatcher(group, {
    one: (item) => some(itemMatcher(item, patterns)),
    any: (items) => some(anyTextOf(items, patterns)),
  })
}

/** The test of a group over names with values, of which one pair is enough for an item. */
export function pairsMatcher(
  group: MapGroup,
  patterns: PatternCache,
): Matcher<readonly NameValue[]> | null {
  return groupMatcher(group, {
    one: (item) => {
      const test = pairMatcher(item, patterns)
      return (pairs) => pairs.some(test)
    },
    any: (items) => {
      const tests = items.map((item) => pairMatcher(item, patterns))
      return (pairs) => pairs.some((pair) => tests.some((test) => test(pair)))
    },
  })
}

/** The only texts that can pass, so that no scan is needed; null if they are not enumerable. */
export function groupTexts(group: ListGroup): readonly string[] | null {
  const including = group.items.filter((item) => !item.excludes)
  const equal = including.filter(isExact)
  // With `and`, one equality bounds the whole group; without, every member must be an equality.
  if (group.and) return equal.length > 0 ? [equal[0]!.text] : null
  const bounded = equal.length > 0 && equal.length === including.length && group.nested.length === 0
  return bounded ? [...new Set(equal.map((item) => item.text))] : null
}

function groupMatcher<Item extends { readonly excludes: boolean }, Thing>(
  group: Group<Item>,
  matching: Matching<Item, Thing>,
): Matcher<Thing> | null {
  const excluding = group.items.filter((item) => item.excludes)
  const excluded = excluding.length === 0 ? null : matching.any(excluding)
  const included = includedMatcher(group, matching)
  if (excluded === null) return included
  if (included === null) return (thing) => !excluded(thing)
  return (thing) => !excluded(thing) && included(thing)
}

function includedMatcher<Item extends { readonly excludes: boolean }, Thing>(
  group: Group<Item>,
  matching: Matching<Item, Thing>,
): Matcher<Thing> | null {
  const including = group.items.filter((item) => !item.excludes)
  const nested = group.nested.map((one) => groupMatcher(one, matching))
  if (including.length === 0 && nested.length === 0) return null
  // Among alternatives, one that lets everything pass is enough.
  if (!group.and && nested.includes(null)) return null
  const tests = nested.filter((test) => test !== null)
  if (group.and) {
    const all = [...including.map((item) => matching.one(item)), ...tests]
    if (all.length === 0) return null
    return all.length === 1 ? all[0]! : (thing) => all.every((test) => test(thing))
  }
  if (including.length > 0) tests.unshift(matching.any(including))
  return tests.length === 1 ? tests[0]! : (thing) => tests.some((test) => test(thing))
}

/** Whether any of the items matches. Thousands of equalities cost one look-up. */
function anyTextOf(items: readonly ListItem[], patterns: PatternCache): Matcher<string> {
  const equal = new Set(items.filter(isExact).map((item) => item.text))
  // An expression that occurs twice in a group is one test.
  const inexact = items.filter((item) => !isExact(item))
  const others = [...new Set(inexact.map((item) => itemMatcher(item, patterns)))]
  if (others.length === 0) return (text) => equal.has(text)
  return (text) => equal.has(text) || others.some((test) => test(text))
}

function isExact(item: ListItem): boolean {
  return item.match === "equal" && !item.caseless
}

function pairMatcher({ key, text, ...item }: MapItem, patterns: PatternCache): Matcher<NameValue> {
  const value = text === null ? null : itemMatcher({ ...item, text }, patterns)
  return (pair) => (key === null || pair.name === key) && (value === null || value(pair.value))
}

function itemMatcher({ text, match, caseless }: ListItem, patterns: PatternCache): Matcher<string> {
  if (match === "pattern") return patterns.test(text, caseless)
  const wanted = caseless ? text.toLowerCase() : text
  const test = caseMatcher(wanted, match)
  const { budget } = patterns
  return (given) => {
    // One of the longest wildcards on the longest text takes some 30 ms, all others far less.
    if (match === "wildcard") budget.check()
    else budget.step()
    return test(caseless ? given.toLowerCase() : given)
  }
}

function caseMatcher(
  wanted: string,
  match: Exclude<ListItem["match"], "pattern">,
): Matcher<string> {
  if (match === "equal") return (given) => given === wanted
  if (match === "prefix") return (given) => given.startsWith(wanted)
  if (match === "wildcard") return (given) => matchesWildcard(wanted, given)
  return (given) => given.includes(wanted)
}
