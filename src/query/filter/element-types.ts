/** The types of some elements, as columns of an answer have them. */

import type { QueryContext } from "../core/query-context.ts"

export interface ElementTypes {
  /** Distinct types, in order of appearance. */
  readonly names: readonly string[]
  /** By position: the number of its type. */
  readonly numbers: Int32Array
}

export function typesOf({ store, budget }: QueryContext, elements: Int32Array): ElementTypes {
  const numberOf = new Map<string, number>()
  const numbers = elements.map((element) => {
    budget.step()
    const { type } = store.catalogue.elementInfo(element)
    const known = numberOf.get(type) ?? numberOf.size
    numberOf.set(type, known)
    return known
  })
  return { names: [...numberOf.keys()], numbers }
}
