/** GET `/elements/ids`: ids of the elements that had data in a window. */

import { jsonPieces, jsonText } from "../../wire/json.ts"
import { Problems } from "../../wire/problems.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import { readDay, readWindowParameters } from "../core/window.ts"
import { matchedElements, planElementSearch } from "../filter/activity-filter.ts"

export const elementIds = defineQuery({
  kind: "elementIds",
  /** Without a start the window begins at midnight UTC. */
  plan(context, { params, tenant, nowMs }) {
    const problems = new Problems()
    const window = readWindowParameters(new QueryParameters(params, problems))
    const span = readDay(window, nowMs, problems)
    problems.throwIfAny()
    return planElementSearch(context, tenant, { filter: {}, span })
  },
  async answer(context, planned) {
    const elements = (await matchedElements(context, planned)).toArray()
    const print = (element: number) => jsonText(context.ids.elementId(element))
    return jsonPieces(`{"ids":`, elements, print, "}")
  },
})
