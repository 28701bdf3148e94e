/** Selected rows of a list by their keys: some, or all that pass the filter. */

import { useMemo, useState } from "preact/hooks"

export interface Selection {
  readonly keys: ReadonlySet<string>
  /** All that pass the filter, not only rows that were fetched. */
  readonly isAll: boolean
  has(key: string): boolean
  /** Adds or removes rows. */
  set(keys: readonly string[], isSelected: boolean): void
  selectAll(): void
  clear(): void
}

const nothing: ReadonlySet<string> = new Set()

/** Another filter, by its key, begins with nothing selected. */
export function useSelection(key: string): Selection {
  const [state, setState] = useState({ key, keys: nothing, isAll: false })
  return useMemo(() => {
    const { keys, isAll } = state.key === key ? state : { keys: nothing, isAll: false }
    return {
      keys,
      isAll,
      has: (one) => isAll || keys.has(one),
      set(changed, isSelected) {
        // To leave one out of all, the rows are chosen again.
        const next = new Set(isAll ? nothing : keys)
        for (const one of changed) {
          if (isSelected) next.add(one)
          else next.delete(one)
        }
        setState({ key, keys: next, isAll: false })
      },
      selectAll: () => setState({ key, keys: nothing, isAll: true }),
      clear: () => setState({ key, keys: nothing, isAll: false }),
    }
  }, [key, state])
}
