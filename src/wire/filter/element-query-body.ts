/** Reads the body of an element query (spec/queries §1) into plain data. */

import type { ElementField } from "../elements/element-document.ts"
import { elementFieldNames } from "../elements/element-document.ts"
import type { Problems } from "../problems.ts"
import { readQueryBody, type QueryBody } from "./query-body.ts"
import { sortFieldsOf } from "./sort-body.ts"

/** Facts of the status (spec/search §3) by which elements are sorted. */
export const statusFields = [
  "level",
  "openIncidents",
  "collectedPercent",
  "lastSeen",
  "created",
] as const
export type StatusField = (typeof statusFields)[number]

/** A field of the document, or a fact of the status. */
export type ElementSortField = ElementField | StatusField

export type ElementQueryBody = QueryBody<ElementField, ElementSortField>

const tagFields = [
  "serviceTags",
  "netuitiveTags",
  "sourceTags",
  "tags",
  "attributes",
  "metrics",
] as const

const fields = {
  sort: sortFieldsOf<ElementSortField>(
    [...elementFieldNames, ...statusFields],
    { tagFields, unsorted: ["relations", "state", "eventCount"] },
    { metrics: "metrics" },
  ),
  all: elementFieldNames,
  kept: [],
}

/** null if invalid; each reason is added to `problems`. No body selects everything. */
export function readElementQueryBody(raw: unknown, problems: Problems): ElementQueryBody | null {
  return readQueryBody(raw, fields, problems)
}
