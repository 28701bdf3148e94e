/**
 * Remembering: names and values of tags, of elements and of metrics come again every cycle, and an
 * expression says the same of them each time. Asking the memory is a hundred times as fast.
 */

import { BoundedCache } from "../base/bounded-cache.ts"
import { compilePattern } from "../base/pattern.ts"

/** Texts that one expression remembers: 1 MB of names of usual length. */
export const memoizedTextsMax = 8_192

/** A test of texts that remembers its answers; it forgets all of them when they are too many. */
export function memoizeMatch(test: (text: string) => boolean): (text: string) => boolean {
  const known = new BoundedCache<string, boolean>(memoizedTextsMax, "all")
  return (text) => {
    const said = known.get(text)
    if (said !== undefined) return said
    const says = test(text)
    known.set(text, says)
    return says
  }
}

/** True where some part of a text matches, in either case. The expression was judged before. */
export function containsPattern(expression: string): (text: string) => boolean {
  const pattern = compilePattern(expression, { caseless: true })
  return memoizeMatch((text) => pattern.test(text))
}
