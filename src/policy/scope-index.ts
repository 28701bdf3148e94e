/**
 * Index of scopes: finds the policies that may be for an element without testing each. A policy is
 * indexed by one criterion of its scope that every matching element fulfils.
 *
 *   indexed by        an element looks up
 *     FQN             its own
 *     type            its own
 *     tag, attribute  each of its pairs; the result for a pair is cached for all elements
 *     part of a name  each trigram of its name
 *     nothing         (an open scope, an expression on names) always a candidate
 *
 * The rest of a candidate's scope still has to be tested.
 */

import type { NameValue } from "../model/element.ts"
import type { PolicyScope } from "../model/records/policy.ts"
import { TagIndex } from "./tag-index.ts"
import type { ScopeSubject } from "./scope.ts"

/** Characters of a trigram. */
const trigramLength = 3

export class ScopeIndex {
  private readonly byFqn = new Map<string, number[]>()
  private readonly byType = new Map<string, number[]>()
  private readonly byTag = new TagIndex()
  private readonly byAttribute = new TagIndex()
  private readonly byTrigram = new Map<string, number[]>()
  private readonly others: number[] = []

  /** `scopes` by policy index. */
  constructor(scopes: readonly PolicyScope[]) {
    scopes.forEach((scope, policy) => this.add(scope, policy))
  }

  /** Indexes of the policies that may be for an element, each once, ascending. */
  candidates(subject: ScopeSubject): number[] {
    const found = new Set(this.others)
    const add = (policies: Iterable<number> = []) => {
      for (const policy of policies) found.add(policy)
    }
    add(this.byFqn.get(subject.fqn))
    add(this.byType.get(subject.type))
    for (const tag of subject.tags) add(this.byTag.policiesOf(tag))
    for (const attribute of subject.attributes) add(this.byAttribute.policiesOf(attribute))
    if (this.byTrigram.size > 0) {
      for (const gram of trigramsOf(subject.name)) add(this.byTrigram.get(gram))
    }
    return [...found].sort((one, other) => one - other)
  }

  private add(scope: PolicyScope, policy: number): void {
    const { fqnIncludes, elementType, elementTypes, elementTags, elementAttributes } = scope
    const types = elementType ? [elementType] : elementTypes
    if (fqnIncludes.length > 0) addUnder(this.byFqn, fqnIncludes, policy)
    else if (types.length > 0) addUnder(this.byType, types, policy)
    else if (elementTags.length > 0) {
      addPairs(this.byTag, needed(elementTags, scope.elementTagsAll), policy)
    } else if (elementAttributes.length > 0) {
      addPairs(this.byAttribute, needed(elementAttributes, scope.elementAttributesAll), policy)
    } else this.addByName(scope, policy)
  }

  private addByName({ elementName, elementNameRegex }: PolicyScope, policy: number): void {
    const gram = elementNameRegex ? undefined : trigramsOf(elementName ?? "").at(0)
    if (gram === undefined) this.others.push(policy)
    else addUnder(this.byTrigram, [gram], policy)
  }
}

/** If all entries have to match, the first one is enough for the index. */
function needed(entries: readonly NameValue[], all: boolean): readonly NameValue[] {
  return all ? entries.slice(0, 1) : entries
}

function addPairs(index: TagIndex, entries: readonly NameValue[], policy: number): void {
  for (const entry of entries) index.add(entry, policy)
}

function addUnder(index: Map<string, number[]>, keys: readonly string[], policy: number): void {
  for (const key of new Set(keys)) {
    const filed = index.get(key)
    if (filed === undefined) index.set(key, [policy])
    else filed.push(policy)
  }
}

/** Trigrams in lower case, as `ScopeMatcher` compares names. */
function trigramsOf(text: string): string[] {
  const lower = text.toLowerCase()
  const count = Math.max(0, lower.length - trigramLength + 1)
  return Array.from({ length: count }, (_, at) => lower.slice(at, at + trigramLength))
}
