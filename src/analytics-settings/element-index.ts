/** Which of many scopes an element meets, by what they ask of the element itself. */

import { BoundedCache } from "../base/bounded-cache.ts"
import type { Cooperative } from "../base/cooperative.ts"
import type { ElementInfo, NameValue } from "../model/element.ts"
import type { ConfigurationScope } from "./configuration.ts"
import { expressionProblem } from "./lookahead.ts"
import { NamePattern } from "./name-pattern.ts"
import { PatternIndex } from "./pattern-index.ts"

/** Tags whose answers are kept: 200 bytes each. */
const cachedTagsMax = 20_000

/** What a scope asks of elements of its types. */
interface ScopeCriteria {
  readonly scope: number
  /** Whether it asks a name. */
  readonly asksName: boolean
  /** Numbers of the tags that it wants. */
  readonly tags: readonly number[]
  readonly isAll: boolean
}

interface ElementIndexParts {
  /** By type in lower case, and those for any type. */
  readonly byType: ReadonlyMap<string, readonly ScopeCriteria[]>
  readonly anyType: readonly ScopeCriteria[]
  /** Those that ask a name, and the expressions by their places in that list. */
  readonly named: readonly number[]
  readonly names: PatternIndex
  readonly tags: TagPatternIndex
}

export class ElementIndex {
  private readonly parts: ElementIndexParts

  private constructor(parts: ElementIndexParts) {
    this.parts = parts
  }

  static *steps(scopes: readonly ConfigurationScope[]): Cooperative<ElementIndex> {
    const tags = yield* TagPatternIndex.steps(scopes.flatMap(({ elementTags }) => elementTags))
    const named: number[] = []
    const patterns: string[] = []
    const byType = new Map<string, ScopeCriteria[]>()
    const anyType: ScopeCriteria[] = []
    for (const [
      scope,
      { elementTypes, elementName, elementTags, elementTagsAll },
    ] of scopes.entries()) {
      const numbers = elementTags.map((tag) => tags.numberOf(tag))
      const asksName = elementName !== null
      const asked = { scope, asksName, tags: numbers, isAll: elementTagsAll }
      if (elementName !== null) {
        named.push(scope)
        patterns.push(namePattern(elementName))
      }
      if (elementTypes.length === 0) anyType.push(asked)
      for (const type of new Set(elementTypes.map((one) => one.toLowerCase()))) {
        const list = byType.get(type)
        if (list === undefined) byType.set(type, [asked])
        else list.push(asked)
      }
      yield
    }
    const names = yield* PatternIndex.steps(patterns)
    return new ElementIndex({ byType, anyType, named, names, tags })
  }

  /** Numbers of the scopes that the element meets, whatever metrics it has. */
  find(fqn: string, info: ElementInfo): number[] {
    const { byType, anyType, tags } = this.parts
    const named = this.namedBy(fqn, info)
    const tagged = new Set<number>()
    for (const list of [info.tags, info.serviceTags ?? []]) {
      for (const tag of list) for (const met of tags.matchedBy(tag)) tagged.add(met)
    }
    const isTagged = (wanted: number): boolean => tagged.has(wanted)
    const found: number[] = []
    for (const list of [byType.get(info.type.toLowerCase()) ?? [], anyType]) {
      for (const { scope, asksName, tags: wanted, isAll } of list) {
        if (asksName && !named.has(scope)) continue
        if (wanted.length > 0 && !(isAll ? wanted.every(isTagged) : wanted.some(isTagged))) continue
        found.push(scope)
      }
    }
    return found
  }

  /** Scopes whose name is found in that of the element or in its id. */
  private namedBy(fqn: string, { name }: ElementInfo): ReadonlySet<number> {
    const { named, names } = this.parts
    if (named.length === 0) return none
    const found = names.find(name, always)
    const all = name === fqn ? found : [...found, ...names.find(fqn, always)]
    return all.length === 0 ? none : new Set(all.map((place) => named[place]!))
  }
}

const none: ReadonlySet<number> = new Set()
const always = (): boolean => true

/** What is no expression of ours is looked for as it is. */
function namePattern(wanted: string): string {
  return expressionProblem(wanted) === null ? wanted : wanted.replace(/[^\w\s]/g, "\\$&")
}

/** Which wanted tags, by number, a tag meets: expressions found in its name and in its value. */
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

  /** Of a tag that is wanted. */
  numberOf(tag: NameValue): number {
    return this.numbers.get(tagKey(tag))!
  }

  /** Numbers of the wanted tags. */
  matchedBy(tag: NameValue): readonly number[] {
    if (this.values.length === 0) return []
    const key = tagKey(tag)
    const known = this.cache.get(key)
    if (known !== undefined) return known
    const lower = tag.value.toLowerCase()
    const met = this.names.find(tag.name, (number) => this.values[number]!.finds(tag.value, lower))
    this.cache.set(key, met)
    return met
  }
}

function tagKey({ name, value }: NameValue): string {
  return `${name}\0${value}`
}
