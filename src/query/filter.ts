/** Filter groups as tests of texts (wire/list-group.ts says what they mean). */

import type { ListGroup, ListItem } from "../wire/list-group.ts"

export type TextTest = (text: string) => boolean

/** The test of a group; null where it lets everything pass. */
export function groupTest(group: ListGroup): TextTest | null {
  const excluded = anyOf(group.items.filter((item) => item.excludes))
  const included = includedTest(group)
  if (excluded === null) return included
  if (included === null) return (text) => !excluded(text)
  return (text) => !excluded(text) && included(text)
}

/** The few texts that alone can pass, so that nothing needs to be scanned; null where they are not few. */
export function groupTexts(group: ListGroup): readonly string[] | null {
  const including = group.items.filter((item) => !item.excludes)
  const equal = including.filter(isExact)
  // With `and`, one equality bounds the whole group; without, every member must be an equality.
  if (group.and) return equal.length > 0 ? [equal[0]!.text] : null
  const bounded = equal.length > 0 && equal.length === including.length && group.nested.length === 0
  return bounded ? [...new Set(equal.map((item) => item.text))] : null
}

function includedTest(group: ListGroup): TextTest | null {
  const including = group.items.filter((item) => !item.excludes)
  const nested = group.nested.map(groupTest)
  if (including.length === 0 && nested.length === 0) return null
  if (group.and) {
    const tests = [...including.map(itemTest), ...nested.filter((test) => test !== null)]
    return (text) => tests.every((test) => test(text))
  }
  // One member that lets everything pass is enough.
  if (nested.includes(null)) return null
  const items = anyOf(including)
  const tests = [...(items === null ? [] : [items]), ...nested.filter((test) => test !== null)]
  return (text) => tests.some((test) => test(text))
}

/** Whether any of the items matches; null for no items. Thousands of equalities cost one look-up. */
function anyOf(items: readonly ListItem[]): TextTest | null {
  if (items.length === 0) return null
  const equal = new Set(items.filter(isExact).map((item) => item.text))
  const others = items.filter((item) => !isExact(item)).map(itemTest)
  return (text) => equal.has(text) || others.some((test) => test(text))
}

function isExact(item: ListItem): boolean {
  return item.match === "equal" && !item.caseless
}

function itemTest({ text, match, caseless }: ListItem): TextTest {
  const wanted = caseless ? text.toLowerCase() : text
  const fold: (given: string) => string = caseless
    ? (given) => given.toLowerCase()
    : (given) => given
  if (match === "equal") return (given) => fold(given) === wanted
  if (match === "prefix") return (given) => fold(given).startsWith(wanted)
  return (given) => fold(given).includes(wanted)
}
