/** Selected elements: some rows, or all that pass the filter. */

import { useMemo, useState } from "preact/hooks"

export interface Selection {
  readonly fqns: ReadonlySet<string>
  /** All that pass the filter, not only rows that were fetched. */
  readonly isAll: boolean
  has(fqn: string): boolean
  /** Adds or removes rows. */
  set(fqns: readonly string[], isSelected: boolean): void
  selectAll(): void
  clear(): void
}

const nothing: ReadonlySet<string> = new Set()

/** Another filter, by its key, begins with nothing selected. */
export function useSelection(key: string): Selection {
  const [state, setState] = useState({ key, fqns: nothing, isAll: false })
  return useMemo(() => {
    const { fqns, isAll } = state.key === key ? state : { fqns: nothing, isAll: false }
    return {
      fqns,
      isAll,
      has: (fqn) => isAll || fqns.has(fqn),
      set(changed, isSelected) {
        // To leave one out of all, the rows are chosen again.
        const next = new Set(isAll ? nothing : fqns)
        for (const fqn of changed) {
          if (isSelected) next.add(fqn)
          else next.delete(fqn)
        }
        setState({ key, fqns: next, isAll: false })
      },
      selectAll: () => setState({ key, fqns: nothing, isAll: true }),
      clear: () => setState({ key, fqns: nothing, isAll: false }),
    }
  }, [key, state])
}
