/** Reads the scope of a policy: which elements it watches (spec/policies §2). */

import * as v from "valibot"
import { tagsPerEntityMax } from "../../base/limits.ts"
import type { NameValue } from "../../model/element.ts"
import { matchAllScope, type PolicyScope } from "../../model/records/policy.ts"
import { booleanValue, objectValue } from "../body.ts"
import { shortText } from "./fields.ts"
import { isPattern, patternExpected, patternText } from "./pattern-text.ts"

/** Elements that one scope names one by one. */
const elementsPerScopeMax = 1_000

const optionalText = v.nullish(shortText, null)

const texts = v.nullish(
  v.pipe(
    v.array(shortText, "an array of texts"),
    v.maxLength(elementsPerScopeMax, `at most ${elementsPerScopeMax} texts`),
  ),
  [],
)

const tagEntry = v.pipe(
  objectValue({ name: patternText, value: v.nullish(patternText, "") }, ["id", "dataSourceId"]),
  v.transform(({ name, value }): NameValue => ({ name, value })),
)

/** `[{name, value}]`, or `{name: value}` as old clients send it. */
const tagList = v.nullish(
  v.pipe(
    v.union(
      [
        v.array(tagEntry),
        v.pipe(
          v.record(
            v.pipe(v.string(), v.check(isPattern, patternExpected)),
            v.nullish(patternText, ""),
          ),
          v.transform((map) => Object.entries(map).map(([name, value]) => ({ name, value }))),
        ),
      ],
      `an array of name and value, each ${patternExpected}`,
    ),
    v.check((tags) => tags.length <= tagsPerEntityMax, `at most ${tagsPerEntityMax} entries`),
  ),
  [],
)

export const scopeBody = v.pipe(
  objectValue({
    elementName: optionalText,
    elementNameRegex: v.nullish(booleanValue, false),
    elementNameExclude: optionalText,
    elementNameExcludeRegex: v.nullish(booleanValue, false),
    fqnIncludes: texts,
    fqnExcludes: texts,
    elementType: optionalText,
    elementTypes: texts,
    elementTags: tagList,
    elementTagsAll: v.nullish(booleanValue, true),
    excludedElementTags: tagList,
    elementAttributes: tagList,
    elementAttributesAll: v.nullish(booleanValue, true),
    excludedElementAttributes: tagList,
  }),
  v.check(
    ({ elementName, elementNameRegex }) => !elementNameRegex || isPattern(elementName ?? ""),
    `elementName as ${patternExpected}`,
  ),
  v.check(
    ({ elementNameExclude, elementNameExcludeRegex }) =>
      !elementNameExcludeRegex || isPattern(elementNameExclude ?? ""),
    `elementNameExclude as ${patternExpected}`,
  ),
)

/** An absent scope takes every element. */
export function scopeOf(scope: v.InferOutput<typeof scopeBody> | null): PolicyScope {
  return { ...matchAllScope, ...scope }
}
