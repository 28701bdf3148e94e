/** Parameters of the inventory in its address: order and levels. */

import { elementSortFields, levels, type Level } from "../../api/element-words.ts"
import {
  flagParameter,
  listParameter,
  wordParameter,
  type Definition,
  type Parameter,
} from "../../url/parameters.ts"

const list = listParameter()
const levelsParameter: Parameter<readonly Level[]> = {
  fallback: [],
  parse(text) {
    const words = list.parse(text) ?? []
    const known = levels.filter((level) => words.includes(level))
    return known.length === words.length ? known : undefined
  },
  print: (value) => value.join(","),
}

export const inventoryParameters = {
  sort: wordParameter(elementSortFields, "name"),
  desc: flagParameter(),
  level: levelsParameter,
} satisfies Definition
