/**
 * Which of many scopes match an element, by their criteria on the element itself: each of three
 * indexes (types, names, tags) gives its candidates, and a scope matches if it is among all.
 */

import { BoundedCache } from "../base/bounded-cache.ts"
import type { Cooperative } from "../base/cooperative.ts"
import type { ElementInfo, NameValue } from "../model/element.ts"
import type { ConfigurationScope } from "./configuration.ts"
import { expressionProblem } from "./lookahead.ts"
import { NamePattern } from "./name-pattern.ts"
import { PatternIndex } from "./pattern-index.ts"

/** Cached tags: 200 bytes each. */
const cachedTagsMax = 20_000

/** Criteria of one scope besides its element types. */
interface ScopeCriteria {
  readonly scope: number
  readonly hasName: boolean
  /** Numbers of its tag patterns. */
  readonly tags: readonly number[]
  /** Whether all of the tags must match, or any one. */
  readonly isAll: boolean
}

export class ElementScopeIndex {
  private readonly types: TypeIndex
  private readonly names: NameIndex
  private readonly tags: TagPatternIndex

  private constructor(types: TypeIndex, names: NameIndex, tags: TagPatternIndex) {
    this.types = types
    this.names = names
    this.tags = tags
  }

  static *steps(scopes: readonly ConfigurationScope[]): Cooperative<ElementScopeIndex> {
    const tags = yield* TagPatternIndex.steps(scopes.flatMap(({ elementTags }) => elementTags))
    const types = new TypeIndex()
    for (const [number, scope] of scopes.entries()) {
      types.add(scope.elementTypes, {
        scope: number,
        hasName: scope.elementName !== null,
        tags: scope.elementTags.map((tag) => tags.numberOf(tag)),
        isAll: scope.elementTagsAll,
      })
      yield
    }
    return new ElementScopeIndex(types, yield* NameIndex.steps(scopes), tags)
  }

  /** Numbers of the scopes that match the element, whatever metrics it has. */
  find(fqn: string, info: ElementInfo): number[] {
    const named = this.names.candidates(fqn, info.name)
    const tagged = this.tags.candidates(info)
    return this.types
      .candidates(info.type)
      .filter(({ scope, hasName }) => !hasName || named.has(scope))
      .filter((criteria) => areTagsMet(criteria, tagged))
      .map(({ scope }) => scope)
  }
}

function areTagsMet({ tags, isAll }: ScopeCriteria, tagged: ReadonlySet<number>): boolean {
  if (tags.length === 0) return true
  return isAll ? tags.every((tag) => tagged.has(tag)) : tags.some((tag) => tagged.has(tag))
}

/** Scopes by element type, ignoring case. */
class TypeIndex {
  private readonly byType = new Map<string, ScopeCriteria[]>()
  private readonly anyType: ScopeCriteria[] = []

  /** Without types the scope is for elements of any type. */
  add(types: readonly string[], criteria: ScopeCriteria): void {
    if (types.length === 0) this.anyType.push(criteria)
    for (const type of new Set(types.map((one) => one.toLowerCase()))) {
      const list = this.byType.get(type)
      if (list === undefined) this.byType.set(type, [criteria])
      else list.push(criteria)
    }
  }

  /** Scopes for elements of this type. */
  candidates(type: string): ScopeCriteria[] {
    return [...(this.byType.get(type.toLowerCase()) ?? []), ...this.anyType]
  }
}

/** Scopes by the expression that must match in the element's name or FQN. */
class NameIndex {
  /** Scope of each expression. */
  private readonly scopes: readonly number[]
  private readonly patterns: PatternIndex

  private constructor(scopes: readonly number[], patterns: PatternIndex) {
    this.scopes = scopes
    this.patterns = patterns
  }

  static *steps(all: readonly ConfigurationScope[]): Cooperative<NameIndex> {
    const scopes: number[] = []
    const patterns: string[] = []
    for (const [number, { elementName }] of all.entries()) {
      if (elementName === null) continue
      scopes.push(number)
      patterns.push(namePattern(elementName))
      yield
    }
    return new NameIndex(scopes, yield* PatternIndex.steps(patterns))
  }

  /** Scopes with a name expression that matches. */
  candidates(fqn: string, name: string): ReadonlySet<number> {
    if (this.scopes.length === 0) return none
    const found = this.patterns.find(name, always)
    const all = name === fqn ? found : [...found, ...this.patterns.find(fqn, always)]
    return new Set(all.map((pattern) => this.scopes[pattern]!))
  }
}

const none: ReadonlySet<number> = new Set()
const always = (): boolean => true

/** A text that is no supported expression is searched for literally. */
function namePattern(wanted: string): string {
  return expressionProblem(wanted) === null ? wanted : wanted.replace(/[^\w\s]/g, "\\$&")
}

/** Distinct tag patterns by number: expressions that match in the name and the value of a tag. */
class TagPatternIndex {
  private readonly numbers: ReadonlyMap<string, number>
  private readonly values: readonly NamePattern[]
  private readonly names: PatternIndex
  private readonly cache = new BoundedCache<string, readonly number[]>(cachedTagsMax, "all")

  private constructor(
    numbers: ReadonlyMap<string, number>,
    values: readonly NamePattern[],
    names: PatternIndex,
  ) {
    this.numbers = numbers
    this.values = values
    this.names = names
  }

  static *steps(tags: readonly NameValue[]): Cooperative<TagPatternIndex> {
    const distinct = new Map(tags.map((tag) => [tagKey(tag), tag]))
    const numbers = new Map([...distinct.keys()].map((key, number) => [key, number]))
    const values: NamePattern[] = []
    for (const { value } of distinct.values()) {
      const pattern = new NamePattern(value)
      pattern.prepare()
      values.push(pattern)
      yield
    }
    const names = yield* PatternIndex.steps([...distinct.values()].map(({ name }) => name))
    return new TagPatternIndex(numbers, values, names)
  }

  /** Number of a tag pattern. */
  numberOf(tag: NameValue): number {
    return this.numbers.get(tagKey(tag))!
  }

  /** Numbers of the patterns that some tag of the element matches. */
  candidates({ tags, serviceTags = [] }: ElementInfo): ReadonlySet<number> {
    if (this.values.length === 0) return none
    const found = new Set<number>()
    for (const tag of [...tags, ...serviceTags]) {
      for (const pattern of this.matchedBy(tag)) found.add(pattern)
    }
    return found
  }

  private matchedBy(tag: NameValue): readonly number[] {
    const key = tagKey(tag)
    const known = this.cache.get(key)
    if (known !== undefined) return known
    const lower = tag.value.toLowerCase()
    const found = this.names.find(tag.name, (one) => this.values[one]!.finds(tag.value, lower))
    this.cache.set(key, found)
    return found
  }
}

function tagKey({ name, value }: NameValue): string {
  return `${name}\0${value}`
}
