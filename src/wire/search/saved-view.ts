/** Saved views: a page with its parameters under a name (spec/search §5). */

import * as v from "valibot"
import { formatInstantSeconds } from "../../base/iso8601.ts"
import { viewNameCharactersMax, viewQueryCharactersMax } from "../../base/limits/search.ts"
import { described, flag, instant, record, text, uuid, type Written } from "../answer.ts"
import { booleanValue, objectValue, textValue } from "../body.ts"
import type { Timed } from "../records/dashboard-document.ts"

/** The content of a saved view, and its creator. */
export interface SavedView {
  readonly creatorEmail: string
  readonly name: string
  /** Name of the page, as in its address. */
  readonly page: string
  /** Parameters of the page, as in its address. */
  readonly query: string
  /** Whether all users of the account see it. */
  readonly shared: boolean
}

const nameText = v.pipe(
  textValue,
  v.trim(),
  v.nonEmpty("a text that is not empty"),
  v.maxLength(viewNameCharactersMax, `a text of at most ${viewNameCharactersMax} characters`),
)
const pageText = v.pipe(
  textValue,
  v.regex(/^[a-z][a-z-]{0,31}$/, "the name of a page, such as inventory"),
)
const queryText = v.pipe(
  textValue,
  v.maxLength(viewQueryCharactersMax, `a text of at most ${viewQueryCharactersMax} characters`),
)

/** Fields of the record, which clients send back. */
const alsoSent = ["id", "creatorEmail", "created", "updated"]
const optionalFields = { query: v.nullish(queryText), shared: v.nullish(booleanValue) }

export const newViewBody = objectValue({
  view: objectValue({ name: nameText, page: pageText, ...optionalFields }, alsoSent),
})
export const changedViewBody = objectValue({
  view: objectValue(
    { name: v.nullish(nameText), page: v.nullish(pageText), ...optionalFields },
    alsoSent,
  ),
})
export type NewViewFields = v.InferOutput<typeof newViewBody>["view"]
export type ViewFields = v.InferOutput<typeof changedViewBody>["view"]

export const viewRecord = record({
  id: uuid,
  name: text,
  page: described(text, "As in the address of the page, such as `inventory`"),
  query: described(text, "Parameters as in the address of the page; may be empty"),
  shared: flag,
  creatorEmail: text,
  created: instant,
  updated: instant,
})

export function viewDocument({
  id,
  createdMs,
  updatedMs,
  body,
}: Timed<SavedView>): Written<typeof viewRecord> {
  const { name, page, query, shared, creatorEmail } = body
  const created = formatInstantSeconds(createdMs)
  const updated = formatInstantSeconds(updatedMs)
  return { id, name, page, query, shared, creatorEmail, created, updated }
}
