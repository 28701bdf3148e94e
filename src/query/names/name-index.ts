/**
 * Name index: the texts by which things of the catalogue are found, one for each thread, kept next
 * to its catalogue. It has distinct names, never series: a million metrics have some thousands.
 *
 *   metrics    distinct names                    tags    distinct pairs of name and value
 *   elements   FQN, and the name if it differs
 *
 * It follows the catalogue when it is used next: what is new is added, and an element whose facts
 * are another object is read again. 20,000 elements that did not change cost 0.1 ms. Finders
 * leave out forgotten things, until the index is built again.
 */

import { namesPerStepMax, textsPerStepMax } from "../../base/limits/search.ts"
import { QueryBudget } from "../../base/query-budget.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { ElementInfo, NameValue } from "../../model/element.ts"
import type { ElementIndex, TenantIndex } from "../../model/ids.ts"
import { ForgottenCount } from "./forgotten-count.ts"
import { TextIndex } from "./text-index.ts"

/** A tag with the number of elements that have it now. */
export interface CountedTag extends NameValue {
  readonly elements: number
}

interface TagEntry extends NameValue {
  elements: number
}

interface KnownElement {
  readonly element: ElementIndex
  readonly position: number
  info: ElementInfo
}

/** The names of one tenant. */
export class TenantNames {
  readonly metrics: TextIndex
  readonly elements: TextIndex
  readonly tags: TextIndex
  private readonly known: KnownElement[] = []
  private readonly tagEntries: TagEntry[] = []
  private readonly tagNumbers = new Map<string, number>()

  constructor(catalogue: Catalogue) {
    this.metrics = new TextIndex((name) => [catalogue.name(name).fqn])
    this.elements = new TextIndex((element) => textsOf(catalogue, element))
    this.tags = new TextIndex((tag) => [tagText(this.tagEntries[tag]!)])
  }

  tag(number: number): CountedTag {
    return this.tagEntries[number]!
  }

  addElement(element: ElementIndex, info: ElementInfo): void {
    this.known.push({ element, position: this.elements.add(element), info })
    this.countTags(info, 1)
  }

  /** Reads elements whose facts changed. */
  update(catalogue: Catalogue, budget: QueryBudget): void {
    for (const known of this.known) {
      const info = catalogue.elementInfo(known.element)
      if (info === known.info) continue
      budget.step()
      if (info.name !== known.info.name) this.elements.markChanged(known.position)
      this.countTags(known.info, -1)
      this.countTags(info, 1)
      known.info = info
    }
  }

  private countTags(info: ElementInfo, by: 1 | -1): void {
    if (info.deletedMs !== undefined) return
    for (const { name, value } of distinctTags(info)) {
      const key = `${name}\0${value}`
      let number = this.tagNumbers.get(key)
      if (number === undefined) {
        number = this.tagEntries.push({ name, value, elements: 0 }) - 1
        this.tagNumbers.set(key, number)
        this.tags.add(number)
      }
      this.tagEntries[number]!.elements += by
    }
  }
}

export class NameIndex {
  private readonly tenants = new Map<TenantIndex, TenantNames>()
  private namesRead = 0
  private elementsRead = 0
  private readonly forgotten = new ForgottenCount()

  /** The names of a tenant, as the catalogue has them now. */
  of(catalogue: Catalogue, tenant: TenantIndex, budget: QueryBudget): TenantNames {
    const { nameCount, elementCount } = catalogue
    this.read(catalogue, { names: nameCount, elements: elementCount }, budget)
    const names = this.tenant(catalogue, tenant)
    names.update(catalogue, budget)
    return names
  }

  /**
   * Does a part of the work that the first search of this thread would do. Returns false if nothing
   * is left.
   */
  extend(catalogue: Catalogue): boolean {
    const budget = new QueryBudget()
    const names = Math.min(catalogue.nameCount, this.namesRead + namesPerStepMax)
    const elements = Math.min(catalogue.elementCount, this.elementsRead + namesPerStepMax)
    this.read(catalogue, { names, elements }, budget)
    if (names < catalogue.nameCount || elements < catalogue.elementCount) return true
    let left = textsPerStepMax
    for (const { metrics, elements, tags } of this.tenants.values()) {
      for (const index of [metrics, elements, tags]) while (left > 0 && index.buildNext()) left--
    }
    return left === 0
  }

  private read(
    catalogue: Catalogue,
    to: { readonly names: number; readonly elements: number },
    budget: QueryBudget,
  ): void {
    if (this.forgotten.isDue(catalogue)) this.clear()
    for (; this.namesRead < to.names; this.namesRead++) {
      budget.step()
      if (!catalogue.isKnownName(this.namesRead)) continue
      this.tenant(catalogue, catalogue.name(this.namesRead).tenant).metrics.add(this.namesRead)
    }
    for (; this.elementsRead < to.elements; this.elementsRead++) {
      budget.step()
      if (!catalogue.isKnownElement(this.elementsRead)) continue
      const of = this.tenant(catalogue, catalogue.elementTenant(this.elementsRead))
      of.addElement(this.elementsRead, catalogue.elementInfo(this.elementsRead))
    }
  }

  private clear(): void {
    this.tenants.clear()
    this.namesRead = 0
    this.elementsRead = 0
  }

  private tenant(catalogue: Catalogue, tenant: TenantIndex): TenantNames {
    let names = this.tenants.get(tenant)
    if (names === undefined) {
      names = new TenantNames(catalogue)
      this.tenants.set(tenant, names)
    }
    return names
  }
}

function textsOf(catalogue: Catalogue, element: ElementIndex): string[] {
  const fqn = catalogue.elementFqn(element)
  const { name } = catalogue.elementInfo(element)
  return name === fqn ? [fqn] : [fqn, name]
}

/** Tags of an element; one that was posted and set by a user is one. */
function distinctTags({ tags, serviceTags }: ElementInfo): readonly NameValue[] {
  if (serviceTags === undefined) return tags
  const both = [...tags, ...serviceTags]
  return [...new Map(both.map((tag) => [`${tag.name}\0${tag.value}`, tag])).values()]
}

/** `env:prod`, as people search for it. */
export function tagText({ name, value }: NameValue): string {
  return value === "" ? name : `${name}:${value}`
}
