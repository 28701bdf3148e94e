/**
 * Legacy names: tags set by users have two names in documents. `serviceTags` is that of
 * the API, `netuitiveTags` that of the service it follows. Clients of that service crash without
 * the old name, and strict ones refuse the new one.
 */

import { optional, textMap, described } from "./answer.ts"

export const legacyNamesModes = ["both", "old", "new"] as const
/** Which of the two names documents have. */
export type LegacyNames = (typeof legacyNamesModes)[number]

/** False for the one of the two names that documents do not have in this mode. */
export function isFieldIncluded(field: string, names: LegacyNames): boolean {
  if (names === "both") return true
  return field !== (names === "old" ? "serviceTags" : "netuitiveTags")
}

/** The members that set tags have in a document. */
export function userTagFields(
  tags: Readonly<Record<string, string>>,
  names: LegacyNames,
): { serviceTags?: object; netuitiveTags?: object } {
  return {
    ...(names === "old" ? {} : { serviceTags: tags }),
    ...(names === "new" ? {} : { netuitiveTags: tags }),
  }
}

/** The entries of both names in the record of a document; `meaning` describes the tags. */
export function userTagEntries(meaning: string) {
  return {
    serviceTags: described(optional(textMap), `${meaning}; absent with \`--legacy-names old\``),
    netuitiveTags: described(
      optional(textMap),
      "The same under the name that older clients read; absent with `--legacy-names new`",
    ),
  }
}
