/** Routes about the status of many elements, and changes of them (spec/search §3, spec/search §4). */

import { bulkElementsMax, bulkIdsMax, statusElementsMax } from "../../../../base/limits/search.ts"
import { bulkAnswer, bulkBody, readBulkBody } from "../../../../wire/search/bulk-body.ts"
import { statusAnswer } from "../../../../wire/search/status-answer.ts"
import { statusBody } from "../../../../wire/search/status-body.ts"
import { changeElements } from "../../bulk-edits.ts"
import { queryHandler } from "../../query-handler.ts"
import { json, jsonBody, ok, route, type Handler, type Route } from "../../../shared/route.ts"

const change: Handler = async (call, deps) =>
  json(await changeElements(call, deps, readBulkBody(call.body)))

const servers = {
  elementTypes: { and: false, items: [{ item: "SERVER", literal: true, contains: true }] },
}

export const elementStatusRoutes: readonly Route[] = [
  route("Elements", "/elements/search/elementStatus", {
    POST: {
      summary: "The status of elements that pass a filter, counted by level and type",
      access: "reader",
      body: jsonBody(
        "Filter groups as in a search of elements; all elements without any. `countsOnly` leaves " +
          `the columns out, and so do more than ${statusElementsMax} elements`,
        statusBody,
        { ...servers, countsOnly: false },
      ),
      response: ok("Counts, and columns with one entry an element", statusAnswer),
      handle: queryHandler("elementStatus"),
    },
  }),
  route("Elements", "/elements/search/elementBulk", {
    POST: {
      summary: "Tag, maintain or delete many elements",
      access: "writer",
      body: jsonBody(
        `Up to ${bulkIdsMax} \`ids\` or FQNs, or a \`filter\` that ${bulkElementsMax} elements ` +
          "pass at most. `tags` for setTags and removeTags; `until` ends maintenance, which has " +
          "no end without it; `dryRun` changes nothing",
        bulkBody,
        { ids: ["web-1"], action: "setTags", tags: [{ name: "owner", value: "ops" }] },
      ),
      response: ok("How many were changed, and which could not be", bulkAnswer, {
        changed: 1,
        failed: [],
        failures: 0,
        dryRun: false,
      }),
      handle: change,
    },
  }),
]
