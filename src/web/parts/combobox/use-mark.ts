/** The marked one of a list of suggestions: by its key, since an answer may replace the list. */

import { useStateOf } from "../use-state-of.ts"

/**
 * The position of the marked one, -1 for none, and what marks another (-1: the last). More typed
 * unmarks.
 */
export function useMark(
  typed: string,
  keys: readonly string[],
): readonly [current: number, mark: (at: number) => void] {
  const [key, setKey] = useStateOf<string | null>(typed, null)
  return [key === null ? -1 : keys.indexOf(key), (at) => setKey(keys.at(at)!)]
}
