/** Fields that records of several kinds share, lenient with form as every body is. */

import * as v from "valibot"
import { invalid } from "../../base/errors.ts"
import { textCharactersMax } from "../../base/limits.ts"
import { isUuid } from "../../base/uuid.ts"
import { readWith, textValue } from "../body.ts"
import { refuseUnknownNames } from "../unknown-names.ts"
import { Problems, shown } from "../problems.ts"

/** Records of the field have about fifty. */
const propertiesMax = 500
const propertyNameCharactersMax = 256

/** A name, description or the like. */
export const shortText = v.pipe(
  textValue,
  v.maxLength(textCharactersMax, `a text of at most ${textCharactersMax} characters`),
)

/** A text that is not blank. */
export const nonEmptyText = v.pipe(shortText, v.trim(), v.nonEmpty("a text that is not empty"))

/** Any value as text: JSON for arrays and objects; null stays null. */
export const anyAsText = v.pipe(
  v.union(
    [
      v.string(),
      v.number(),
      v.boolean(),
      v.null(),
      v.array(v.unknown()),
      v.record(v.string(), v.unknown()),
    ],
    "any JSON value",
  ),
  v.transform((value) => {
    if (value === null || typeof value === "string") return value
    return typeof value === "object" ? JSON.stringify(value) : String(value)
  }),
)

/** Values of properties as the service keeps and returns them. */
export type Properties = Readonly<Record<string, string | null>>

const textMap = v.pipe(
  v.record(
    v.pipe(
      v.string(),
      v.maxLength(
        propertyNameCharactersMax,
        `a property name of at most ${propertyNameCharactersMax} characters`,
      ),
    ),
    anyAsText,
  ),
  v.check(
    (properties) => Object.keys(properties).length <= propertiesMax,
    `at most ${propertiesMax} properties`,
  ),
)

const noArray = v.custom<never>(() => false, "an object")

/**
 * Properties of a record: every value is returned as a text. Some clients write an empty map as
 * `[]`; valibot alone would accept a non-empty array as a map, too.
 */
export const propertiesValue = v.lazy((raw) =>
  Array.isArray(raw) && raw.length > 0 ? (noArray as unknown as typeof textMap) : textMap,
)

/** The treatment of fields that a schema does not know. */
export type UnknownNames = "refused" | "ignored"

/** The body as the schema reads it; throws `invalid` with all problems. */
export function readRecord<Schema extends v.GenericSchema>(
  schema: Schema,
  raw: unknown,
  unknownNames: UnknownNames = "refused",
): v.InferOutput<Schema> {
  const problems = new Problems()
  if (unknownNames === "refused") refuseUnknownNames(schema, raw, { path: "", problems })
  const record = readWith(schema, raw, { path: "", problems })
  problems.throwIfAny()
  return record as v.InferOutput<Schema>
}

/** The id of a record that is named by a UUID, in lower case; throws `invalid` for no UUID. */
export function uuidOf(text: string, field = "id"): string {
  if (!isUuid(text)) throw invalid(`${field}: expected a UUID, got ${shown(text)}`)
  return text.toLowerCase()
}

/** The id of a record that is named by a number; throws `invalid` for no number. */
export function numberIdOf(text: string, field = "id"): string {
  if (!/^\d{1,15}$/.test(text)) {
    throw invalid(`${field}: expected a whole number, got ${shown(text)}`)
  }
  return String(Number(text))
}
