/**
 * Rows that are pointed at do not move: a change that the stream reports meanwhile waits, and
 * is shown when the pointer leaves or when the person asks for it.
 */

import { useMemo, useRef, useState } from "preact/hooks"

export interface Held {
  /** Something changed that is not shown yet. */
  readonly isWaiting: boolean
  /** Reloads, now or when the pointer has left. */
  readonly change: () => void
  /** Shows what waits. */
  readonly show: () => void
  readonly enter: () => void
  readonly leave: () => void
}

export function useHeld(reload: () => void): Held {
  const [isWaiting, setWaiting] = useState(false)
  const isPointedAt = useRef(false)
  const newest = useRef(reload)
  newest.current = reload
  return useMemo(
    () => ({
      isWaiting,
      change() {
        if (isPointedAt.current) setWaiting(true)
        else newest.current()
      },
      show() {
        setWaiting(false)
        newest.current()
      },
      enter() {
        isPointedAt.current = true
      },
      leave() {
        isPointedAt.current = false
        setWaiting(false)
        if (isWaiting) newest.current()
      },
    }),
    [isWaiting],
  )
}
