/** State that is reset when what it belongs to changes. */

import { useState } from "preact/hooks"

/**
 * The state of `of`, and its setter: `initial` as soon as another `of` is rendered. An effect
 * that resets the state runs after the next paint, and undoes what a key has done before.
 */
export function useStateOf<State>(
  of: unknown,
  initial: State,
): readonly [state: State, set: (next: State) => void] {
  const [kept, setKept] = useState({ of, state: initial })
  const isSame = kept.of === of
  if (!isSame) setKept({ of, state: initial })
  return [isSame ? kept.state : initial, (state) => setKept({ of, state })]
}
