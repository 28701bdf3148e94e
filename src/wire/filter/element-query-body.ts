/** Reads the body of an element query (spec/queries §1) into plain data. */

import type { ElementField } from "../elements/element-document.ts"
import { elementFieldNames } from "../elements/element-document.ts"
import type { Problems } from "../problems.ts"
import { readQueryBody, type QueryBody } from "./query-body.ts"
import { sortFieldsOf } from "./sort-body.ts"

/** A field of the document, or the level of the status (spec/search §3). */
export type ElementSortField = ElementField | "level"

export type ElementQueryBody = QueryBody<ElementField, ElementSortField>

const tagFields = ["serviceTags", "netuitiveTags", "sourceTags", "attributes"] as const

const fields = {
  sort: sortFieldsOf<ElementSortField>([...elementFieldNames, "level"], {
    tagFields,
    unsorted: ["metrics", "relations", "state", "eventCount", "tags"],
  }),
  all: elementFieldNames,
  kept: [],
}

/** null if invalid; each reason is added to `problems`. No body selects everything. */
export function readElementQueryBody(raw: unknown, problems: Problems): ElementQueryBody | null {
  return readQueryBody(raw, fields, problems)
}
