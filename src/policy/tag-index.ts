/**
 * Inverted index of scope entries on tags or attributes: finds the policies with an entry that a
 * name-value pair matches. Expressions on names are tried once for each name, those on values once
 * for each pair with such a name; literal values (`^production$`) are looked up.
 */

import { BoundedCache } from "../base/bounded-cache.ts"
import { pushAll } from "../base/iterables.ts"
import type { NameValue } from "../model/element.ts"
import { containsPattern } from "./memoize-match.ts"

/** Cached pairs: those of 10,000 elements with six of their own. */
const cachedPairsMax = 65_536

interface Group {
  readonly isName: (name: string) => boolean
  /** By value, as `normalizeCase` returns it. */
  readonly exact: Map<string, number[]>
  readonly others: { readonly isValue: (value: string) => boolean; readonly policy: number }[]
}

export class TagIndex {
  /** Groups by their expression on the name. */
  private readonly groups = new Map<string, Group>()
  private readonly known = new BoundedCache<string, readonly number[]>(cachedPairsMax, "all")

  add({ name, value }: NameValue, policy: number): void {
    let group = this.groups.get(name)
    if (group === undefined) {
      group = { isName: containsPattern(name), exact: new Map(), others: [] }
      this.groups.set(name, group)
    }
    const literal = /^\^([\w ]+)\$$/.exec(value)?.[1]
    if (literal === undefined) {
      group.others.push({ isValue: containsPattern(value), policy })
      return
    }
    const key = normalizeCase(literal)
    const filed = group.exact.get(key)
    if (filed === undefined) group.exact.set(key, [policy])
    else filed.push(policy)
  }

  /** Policies with an entry that the pair matches, and possibly some others. */
  policiesOf({ name, value }: NameValue): readonly number[] {
    if (this.groups.size === 0) return none
    const key = `${name}\0${value}`
    let policies = this.known.get(key)
    if (policies === undefined) {
      policies = this.find(name, value)
      this.known.set(key, policies)
    }
    return policies
  }

  private find(name: string, value: string): number[] {
    const found: number[] = []
    for (const { isName, exact, others } of this.groups.values()) {
      if (!isName(name)) continue
      pushAll(found, exact.get(normalizeCase(value)) ?? none)
      for (const { isValue, policy } of others) if (isValue(value)) found.push(policy)
    }
    return found
  }
}

const none: readonly number[] = []

/**
 * Texts that an expression treats as equal ignoring case are equal here, including K (Kelvin) and
 * ſ, which are equal to the letters k and s.
 */
function normalizeCase(text: string): string {
  return text.toUpperCase().toLowerCase()
}
