/** Parameters of the inventory in its address: list or map, columns, order and levels. */

import { levels } from "../../api/element-words.ts"
import { flagParameter, wordParameter, type Definition } from "../../url/parameters.ts"
import { wordsParameter } from "../../url/words-parameter.ts"
import { columnsParameter } from "./column-choice.ts"
import { orderParameter } from "./element-order.ts"

export const inventoryViews = ["list", "map"] as const
export type InventoryView = (typeof inventoryViews)[number]

export const inventoryParameters = {
  view: wordParameter(inventoryViews, "list"),
  cols: columnsParameter,
  sort: orderParameter,
  desc: flagParameter(),
  level: wordsParameter(levels),
} satisfies Definition
