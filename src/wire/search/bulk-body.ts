/** The body and the answer of POST `/elements/search/elementBulk` (spec/search §4). */

import * as v from "valibot"
import { bulkIdsMax } from "../../base/limits/search.ts"
import { tagsPerEntityMax, textCharactersMax } from "../../base/limits.ts"
import { invalid } from "../../base/errors.ts"
import type { NameValue } from "../../model/element.ts"
import { described, flag, listOf, record, text, wholeNumber, type Written } from "../answer.ts"
import { booleanValue, objectValue, readWith, textValue } from "../body.ts"
import { groupSchemas, readFilter } from "../filter/group-body.ts"
import type { Filter } from "../filter/list-group.ts"
import { Problems, shown } from "../problems.ts"
import { refuseUnknownNames } from "../unknown-names.ts"

const bulkActions = [
  "setTags",
  "removeTags",
  "startMaintenance",
  "stopMaintenance",
  "delete",
] as const
export type BulkAction = (typeof bulkActions)[number]

const tagName = v.pipe(textValue, v.trim(), v.nonEmpty(), v.maxLength(textCharactersMax))
const tagValue = v.pipe(textValue, v.maxLength(textCharactersMax))

export const bulkBody = objectValue({
  action: v.picklist(bulkActions, `one of ${bulkActions.join(", ")}`),
  ids: v.nullish(
    v.pipe(
      v.array(textValue),
      v.minLength(1, "at least one id"),
      v.maxLength(bulkIdsMax, `at most ${bulkIdsMax} ids`),
    ),
  ),
  filter: v.nullish(objectValue(groupSchemas, ["elementAttributes"])),
  tags: v.nullish(
    v.pipe(
      v.array(objectValue({ name: tagName, value: v.nullish(tagValue, "") })),
      v.maxLength(tagsPerEntityMax, `at most ${tagsPerEntityMax} tags`),
    ),
  ),
  until: v.nullish(textValue),
  dryRun: v.nullish(booleanValue, false),
})

export interface BulkChange {
  readonly action: BulkAction
  /** Ids or FQNs; null for a filter. */
  readonly ids: readonly string[] | null
  readonly filter: Filter
  readonly tags: readonly NameValue[]
  /** As sent; undefined if maintenance has no end. */
  readonly until: string | undefined
  readonly isDryRun: boolean
}

/** Throws `invalid` with all problems of the body. */
export function readBulkBody(raw: unknown): BulkChange {
  const problems = new Problems()
  refuseUnknownNames(bulkBody, raw, { path: "", problems })
  const body = readWith(bulkBody, raw ?? {}, { path: "", problems })
  problems.throwIfAny()
  const { action, ids, filter, tags, until, dryRun } = body!
  // Neither would select everything, for which an empty filter is to be sent.
  if ((ids == null) === (filter == null)) {
    throw invalid(`ids: expected ids or a filter, got ${ids == null ? "neither" : "both"}`)
  }
  const needsTags = action === "setTags" || action === "removeTags"
  if (needsTags !== (tags ?? []).length > 0) {
    const expected = needsTags ? "at least one tag" : `none for ${action}`
    throw invalid(`tags: expected ${expected}, got ${(tags ?? []).length}`)
  }
  if (until != null && action !== "startMaintenance") {
    throw invalid(`until: expected none for ${action}, got ${shown(until)}`)
  }
  const read = readFilter((filter ?? {}) as Record<string, unknown>, problems)
  problems.throwIfAny()
  const byName = new Map((tags ?? []).map(({ name, value }) => [name, value]))
  return {
    action,
    ids: ids ?? null,
    filter: read.filter,
    tags: [...byName].map(([name, value]) => ({ name, value })),
    until: until ?? undefined,
    isDryRun: dryRun,
  }
}

export const bulkAnswer = record({
  changed: described(wholeNumber, "With `dryRun`: how many elements the change is for"),
  failed: described(
    listOf(record({ id: text, error: text })),
    "Ids as they were sent, or FQNs; the first thousand",
  ),
  failures: wholeNumber,
  dryRun: flag,
})
export type BulkResult = Written<typeof bulkAnswer>
