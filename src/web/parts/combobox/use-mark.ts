/** The marked one of a list of suggestions: by its key, since an answer may replace the list. */

import { useState } from "preact/hooks"

/**
 * The position of the marked one, -1 for none, and what marks another (-1: the last). More typed
 * unmarks, as it is rendered: an effect would run after the next key, and undo that.
 */
export function useMark(
  typed: string,
  keys: readonly string[],
): readonly [current: number, mark: (at: number) => void] {
  const [marked, setMarked] = useState<Marked>({ typed, key: null })
  const { key } = marked.typed === typed ? marked : { key: null }
  if (marked.typed !== typed) setMarked({ typed, key })
  return [key === null ? -1 : keys.indexOf(key), (at) => setMarked({ typed, key: keys.at(at)! })]
}

interface Marked {
  /** The text of the field when it was marked. */
  readonly typed: string
  readonly key: string | null
}
