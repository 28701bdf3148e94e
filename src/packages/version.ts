/** Versions of packages; the only module that uses `semver`. */

import semver from "semver"
import { invalid } from "../base/errors.ts"
import { shown } from "../wire/problems.ts"

export const versionExpected = "a semantic version such as 1.0.0"

/** True for a semantic version; "1", "1.2" and "v1.2.3" are accepted, too. */
export function isVersion(text: string): boolean {
  return text.length <= 256 && versionOf(text) !== null
}

/** Short forms in use: 1 and 1.2. */
const shortVersion = /^\d{1,9}(\.\d{1,9})?$/

function versionOf(text: string): string | null {
  return shortVersion.test(text)
    ? (semver.coerce(text)?.version ?? null)
    : semver.valid(text, { loose: true })
}

/** Long ranges take long to compile; usual ones have twenty characters. */
const rangeCharactersMax = 256

/**
 * A predicate for versions that equal the text or are within its range. Throws `invalid` for a text
 * that is neither a version nor a range.
 */
export function versionFilter(text: string): (version: string) => boolean {
  const range =
    text.length <= rangeCharactersMax
      ? semver.validRange(text, { loose: true, includePrerelease: true })
      : null
  if (range === null) {
    throw invalid(`version: expected ${versionExpected} or a range of them, got ${shown(text)}`)
  }
  return (version) => {
    if (version === text) return true
    // A complete version matches only itself; "1.2" is a range and means 1.2.x.
    if (semver.valid(text, { loose: true }) !== null) return semverEqual(version, text)
    const own = versionOf(version)
    return own !== null && semver.satisfies(own, range, { loose: true, includePrerelease: true })
  }
}

function semverEqual(one: string, other: string): boolean {
  const [first, second] = [versionOf(one), versionOf(other)]
  return first !== null && second !== null && semver.eq(first, second)
}
