/** Which known name a mistyped one means, for error messages ("did you mean …"). */

/** Longer words are not compared: no name of ours is as long, and the work is length × length. */
const wordCharactersMax = 64

/** Shorter parts are in too many names to mean one. */
const partCharactersMin = 3

/**
 * The name of `known` that is nearest to `word` in characters typed wrong, left out, added or
 * swapped with their neighbour, in either case: a third of the longer word may differ. If none is
 * as near, the longest name that is part of the word, or the shortest that the word is part of
 * (`elementType` for `type`); else null. Of names equally near the first one.
 *
 * @example
 * const known = ["average", "count", "elementType"]
 * assert.equal(nearest("avarage", known), "average")
 * assert.equal(nearest("type", known), "elementType")
 * assert.equal(nearest("p95", known), null)
 */
export function nearest(word: string, known: readonly string[]): string | null {
  if (word.length > wordCharactersMax) return null
  let best: string | null = null
  let bestDistance = Infinity
  for (const name of known) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase())
    const isNear = distance <= Math.max(word.length, name.length) / 3
    if (!isNear || distance >= bestDistance) continue
    best = name
    bestDistance = distance
  }
  return best ?? sharedPart(word, known)
}

function sharedPart(word: string, known: readonly string[]): string | null {
  const isPart = (part: string, whole: string) =>
    part.length >= partCharactersMin && whole.toLowerCase().includes(part.toLowerCase())
  const byLength = [...known].sort((one, other) => one.length - other.length)
  const inside = byLength.findLast((name) => isPart(name, word))
  return inside ?? byLength.find((name) => isPart(word, name)) ?? null
}

/** Optimal string alignment: Levenshtein, with a swap of neighbours as one edit. */
function editDistance(left: string, right: string): number {
  let before: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, j) => j)
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1]
      let edits = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      const isSwap = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      if (i > 1 && j > 1 && isSwap) edits = Math.min(edits, before[j - 2]! + 1)
      row.push(edits)
    }
    before = last
    last = row
  }
  return last[right.length]!
}
