/**
 * Memoizes matches of regular expressions. The same names and tags are tested in every cycle, and a
 * cache hit is about 100 times as fast as a match.
 */

import { BoundedCache } from "../base/bounded-cache.ts"
import { compilePattern } from "../base/text/pattern.ts"

/** Cached texts of one expression: 1 MB of names of usual length. */
const memoizedTextsMax = 8_192

/** Returns `test` with a cache of its results, which is cleared when it is full. */
function memoizeMatch(test: (text: string) => boolean): (text: string) => boolean {
  const known = new BoundedCache<string, boolean>(memoizedTextsMax, "all")
  return (text) => {
    const cached = known.get(text)
    if (cached !== undefined) return cached
    const matches = test(text)
    known.set(text, matches)
    return matches
  }
}

/** A memoized test whether some part of a text matches a valid `expression`, ignoring case. */
export function containsPattern(expression: string): (text: string) => boolean {
  const pattern = compilePattern(expression, { caseless: true })
  return memoizeMatch((text) => pattern.test(text))
}
