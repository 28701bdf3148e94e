/**
 * Index of scopes: which policies may watch an element, without asking each of them. A policy is
 * filed under one part of its scope that an element has to have; who lacks it never meets it.
 *
 *   filed by          an element looks under
 *     FQN             its own
 *     type            its own
 *     tag, attribute  each of its pairs; what meets a pair is found once for all elements with it
 *     part of a name  each three letters of its name
 *     nothing         (an open scope, an expression on names) everybody asks
 *
 * What is found still has to be asked for the rest of its scope.
 */

import type { NameValue } from "../model/element.ts"
import type { PolicyScope } from "../model/records/policy.ts"
import { TagIndex } from "./tag-index.ts"
import type { ScopeSubject } from "./scope.ts"

/** Letters of a name under which a part of it is filed. */
const trigramLength = 3

export class ScopeIndex {
  private readonly byFqn = new Map<string, number[]>()
  private readonly byType = new Map<string, number[]>()
  private readonly byTag = new TagIndex()
  private readonly byAttribute = new TagIndex()
  private readonly byTrigram = new Map<string, number[]>()
  private readonly others: number[] = []

  /** `scopes` of the policies that are called by their place. */
  constructor(scopes: readonly PolicyScope[]) {
    scopes.forEach((scope, policy) => this.add(scope, policy))
  }

  /** The policies that may watch an element, each once, in ascending order. */
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

/** Of entries that all have to be met the first is enough to be found by. */
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

/** Every three letters in a row, in lower case, as `ScopeMatcher` compares names. */
function trigramsOf(text: string): string[] {
  const lower = text.toLowerCase()
  const count = Math.max(0, lower.length - trigramLength + 1)
  return Array.from({ length: count }, (_, at) => lower.slice(at, at + trigramLength))
}
