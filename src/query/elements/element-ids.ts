/** GET `/elements/ids`: ids of the elements that had data in a window. */

import { jsonPieces, jsonText } from "../../wire/json.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import { readDay, readWindowParameters } from "../core/window.ts"
import { matchedElements, planElementSearch } from "../filter/activity-filter.ts"
import type { ElementIndex } from "../../model/ids.ts"

export const elementIds = defineQuery({
  kind: "elementIds",
  /** Without a start the window begins at midnight UTC. */
  parse({ params, nowMs }, problems) {
    const window = readWindowParameters(new QueryParameters(params, problems))
    return { filter: {}, span: readDay(window, nowMs, problems) }
  },
  plan: (context, parsed, { tenant }) => planElementSearch(context, tenant, parsed),
  async answer(context, planned) {
    const elements = (await matchedElements(context, planned)).toArray()
    const print = (element: ElementIndex) => jsonText(context.ids.elementId(element))
    return jsonPieces(`{"ids":`, elements, print, "}")
  },
})
