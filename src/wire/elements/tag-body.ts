/**
 * Tags set by users: `{"netuitiveTag": {"Weekday": "Saturday"}}`, or `serviceTag`
 * (spec/names §1). A list of names and values is accepted, too, as in older API pages.
 */

import * as v from "valibot"
import { epochUnitProblem } from "../../base/epoch-unit.ts"
import { tagsPerEntityMax, textCharactersMax } from "../../base/limits.ts"
import { invalid } from "../../base/errors.ts"
import type { NameValue } from "../../model/element.ts"
import { maintenanceEndTag } from "../../model/records/maintenance-tags.ts"
import { optional, record, textMap, described, type Written } from "../answer.ts"
import { objectValue, readWith, textValue } from "../body.ts"
import { userTagEntries, type LegacyNames } from "../legacy-names.ts"
import { tagMap } from "../metric-document.ts"
import { Problems, shown } from "../problems.ts"
import { refuseUnknownNames } from "../unknown-names.ts"

const tagName = v.pipe(v.string(), v.maxLength(textCharactersMax), v.trim(), v.nonEmpty())
/** Some clients send `null` for an empty value. */
const tagValue = v.pipe(
  v.nullable(v.pipe(textValue, v.maxLength(textCharactersMax))),
  v.transform((value) => value ?? ""),
)

/** Names that objects of JavaScript have already; valibot leaves them out without a word. */
const reservedNames = ["__proto__", "constructor", "prototype"]

const tags = v.pipe(
  v.unknown(),
  v.check(
    (raw) => !reservedNames.some((name) => Object.hasOwn(Object(raw) as object, name)),
    `no tag that is called ${reservedNames.join(", ")}`,
  ),
  v.union(
    [
      v.pipe(
        v.custom<object>((raw) => typeof raw === "object" && !Array.isArray(raw)),
        v.record(tagName, tagValue),
      ),
      v.pipe(
        v.array(objectValue({ name: tagName, value: tagValue })),
        v.transform((list): Record<string, string> => tagMap(list)),
      ),
    ],
    `an object of tag names and texts of at most ${textCharactersMax} characters`,
  ),
)

/** The body of POST `…/tags` and PUT `…/tags/{name}`. */
export const tagBody = objectValue({
  serviceTag: v.nullish(tags),
  netuitiveTag: v.nullish(tags),
})

/** The tags of a body, at least one; throws `invalid` with all problems. */
export function readTagBody(raw: unknown): NameValue[] {
  const problems = new Problems()
  refuseUnknownNames(tagBody, raw, { path: "", problems })
  const body = readWith(tagBody, raw ?? {}, { path: "", problems })
  const end = body?.serviceTag?.[maintenanceEndTag] ?? body?.netuitiveTag?.[maintenanceEndTag]
  const problem = end === undefined ? null : epochUnitProblem(Number(end))
  if (problem !== null) problems.add(`${maintenanceEndTag}: cannot take ${shown(end)}: ${problem}`)
  problems.throwIfAny()
  const set = Object.entries({ ...body!.netuitiveTag, ...body!.serviceTag })
  if (set.length === 0) {
    throw invalid("serviceTag: expected an object of tag names and texts, got none")
  }
  if (set.length > tagsPerEntityMax) {
    throw invalid(`serviceTag: expected at most ${tagsPerEntityMax} tags, got ${set.length}`)
  }
  return set.map(([name, value]) => ({ name, value }))
}

/** The one tag of a body that names the same as the path does. */
export function readNamedTag(raw: unknown, name: string): NameValue {
  const [tag, ...others] = readTagBody(raw)
  if (others.length > 0 || tag!.name !== name) {
    const got = [tag!, ...others].map((one) => shown(one.name)).join(", ")
    throw invalid(`serviceTag: expected the tag ${shown(name)} of the path alone, got ${got}`)
  }
  return tag!
}

/** The answer to a change of tags. */
export const tagEchoAnswer = record({
  serviceTag: described(optional(textMap), "Absent with `--legacy-names old`"),
  netuitiveTag: described(optional(textMap), "Absent with `--legacy-names new`"),
})

/** The answer of GET `…/tags`. */
export const tagsAnswer = record({
  ...userTagEntries("Tags that people set"),
  sourceTags: described(textMap, "Tags that were posted"),
})

/** The tags that were set, under the names used in answers. */
export function tagEcho(
  set: readonly NameValue[],
  names: LegacyNames,
): Written<typeof tagEchoAnswer> {
  const texts = tagMap(set)
  return {
    ...(names === "old" ? {} : { serviceTag: texts }),
    ...(names === "new" ? {} : { netuitiveTag: texts }),
  }
}
