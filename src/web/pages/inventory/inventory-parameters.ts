/** Parameters of the inventory in its address: order and levels. */

import { elementSortFields, levels } from "../../api/element-words.ts"
import { flagParameter, wordParameter, type Definition } from "../../url/parameters.ts"
import { wordsParameter } from "../../url/words-parameter.ts"

export const inventoryParameters = {
  sort: wordParameter(elementSortFields, "name"),
  desc: flagParameter(),
  level: wordsParameter(levels),
} satisfies Definition
