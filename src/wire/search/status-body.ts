/** The body of POST `/elements/search/elementStatus`: a filter, and what is wanted of it. */

import * as v from "valibot"
import { booleanValue, objectValue, readWith } from "../body.ts"
import { groupSchemas, readFilter } from "../filter/group-body.ts"
import type { Filter } from "../filter/list-group.ts"
import type { Problems } from "../problems.ts"
import { refuseUnknownNames } from "../unknown-names.ts"

const entries = {
  countsOnly: v.nullish(booleanValue, false),
  withCreated: v.nullish(booleanValue, false),
}
const ownBody = objectValue(entries)
export const statusBody = objectValue({ ...entries, ...groupSchemas }, ["elementAttributes"])

export interface StatusBody {
  readonly filter: Filter
  readonly countsOnly: boolean
  /** Whether the columns have `created`. */
  readonly withCreated: boolean
}

/** null if invalid; each reason is added to `problems`. No body selects all elements. */
export function readStatusBody(raw: unknown, problems: Problems): StatusBody | null {
  const given = raw ?? {}
  refuseUnknownNames(statusBody, given, { path: "", problems })
  const own = readWith(ownBody, given, { path: "", problems })
  if (own === null) return null
  const { filter } = readFilter(given as Record<string, unknown>, problems)
  return { filter, ...own }
}
