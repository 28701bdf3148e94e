/** Which of many scopes an element meets, by what they ask of the element itself. */

import { patternProblem } from "../base/pattern.ts"
import type { ElementInfo, NameValue } from "../model/element.ts"
import type { ConfigurationScope } from "./configuration.ts"
import { NamePattern } from "./name-pattern.ts"
import { PatternIndex } from "./pattern-index.ts"

/** Tags whose answers are kept: 200 bytes each. */
const rememberedTagsMax = 20_000

export class ElementIndex {
  private readonly scopes: readonly ConfigurationScope[]
  /** Scopes by type in lower case, and those for any type. */
  private readonly byType = new Map<string, number[]>()
  private readonly anyType: number[] = []
  private readonly names: PatternIndex
  private readonly hasNames: boolean
  private readonly tags: TagIndex

  constructor(scopes: readonly ConfigurationScope[]) {
    this.scopes = scopes
    scopes.forEach(({ elementTypes }, scope) => {
      if (elementTypes.length === 0) this.anyType.push(scope)
      for (const type of new Set(elementTypes.map((one) => one.toLowerCase()))) {
        const list = this.byType.get(type)
        if (list === undefined) this.byType.set(type, [scope])
        else list.push(scope)
      }
    })
    this.names = new PatternIndex(scopes.map(({ elementName }) => namePattern(elementName ?? "")))
    this.hasNames = scopes.some(({ elementName }) => elementName !== null)
    this.tags = new TagIndex(scopes.flatMap(({ elementTags }) => elementTags))
  }

  /** Numbers of the scopes that the element meets, whatever metrics it has. */
  find(fqn: string, info: ElementInfo): number[] {
    const named = this.namedBy(fqn, info)
    const tagged = new Set<string>()
    for (const list of [info.tags, info.serviceTags ?? []]) {
      for (const tag of list) for (const met of this.tags.metBy(tag)) tagged.add(met)
    }
    const isMet = (scope: number): boolean => {
      const { elementName, elementTags, elementTagsAll } = this.scopes[scope]!
      if (elementName !== null && !named.has(scope)) return false
      if (elementTags.length === 0) return true
      const isTagged = (wanted: NameValue): boolean => tagged.has(tagKey(wanted))
      return elementTagsAll ? elementTags.every(isTagged) : elementTags.some(isTagged)
    }
    const ofType = this.byType.get(info.type.toLowerCase()) ?? []
    return [...ofType, ...this.anyType].filter(isMet)
  }

  /** Scopes whose name is found in that of the element or in its id. */
  private namedBy(fqn: string, { name }: ElementInfo): ReadonlySet<number> {
    if (!this.hasNames) return new Set()
    const asksName = (scope: number): boolean => this.scopes[scope]!.elementName !== null
    const found = this.names.find(name, asksName)
    return new Set(name === fqn ? found : [...found, ...this.names.find(fqn, asksName)])
  }
}

/** What is no expression of ours is looked for as it is. */
function namePattern(wanted: string): string {
  return patternProblem(wanted) === null ? wanted : wanted.replace(/[^\w\s]/g, "\\$&")
}

/** Which wanted tags a tag meets: expressions found in its name and in its value. */
class TagIndex {
  private readonly wanted: readonly WantedTag[]
  private readonly names: PatternIndex
  private readonly remembered = new Map<string, readonly string[]>()

  constructor(tags: readonly NameValue[]) {
    const distinct = new Map(tags.map((tag) => [tagKey(tag), tag]))
    this.wanted = Array.from(distinct, ([key, { name, value }]) => {
      return { key, name, value: new NamePattern(value) }
    })
    this.names = new PatternIndex(this.wanted.map(({ name }) => name))
  }

  /** Keys of the wanted tags. */
  metBy(tag: NameValue): readonly string[] {
    if (this.wanted.length === 0) return []
    const key = tagKey(tag)
    const known = this.remembered.get(key)
    if (known !== undefined) return known
    if (this.remembered.size >= rememberedTagsMax) this.remembered.clear()
    const lower = tag.value.toLowerCase()
    const met = this.names
      .find(tag.name, (number) => this.wanted[number]!.value.finds(tag.value, lower))
      .map((number) => this.wanted[number]!.key)
    this.remembered.set(key, met)
    return met
  }
}

interface WantedTag {
  readonly key: string
  readonly name: string
  readonly value: NamePattern
}

function tagKey({ name, value }: NameValue): string {
  return `${name}\0${value}`
}
