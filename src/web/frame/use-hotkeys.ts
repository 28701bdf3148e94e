/** Keys of a component. */

import { useLayoutEffect, useRef } from "preact/hooks"
import { useApp } from "./app.ts"
import type { Hotkey } from "./hotkeys.ts"

/**
 * Registers keys while the component exists; the newest `run` of each acts. Before the paint, since
 * a key that is pressed as soon as a list is seen would be lost otherwise.
 */
export function useHotkeys(keys: readonly Hotkey[]): void {
  const { hotkeys } = useApp()
  const newest = useRef(keys)
  newest.current = keys
  const names = keys.map((one) => one.keys).join(" | ")
  useLayoutEffect(() => {
    const run = (at: number) => () => newest.current[at]?.run()
    return hotkeys.register(newest.current.map((one, at) => ({ ...one, run: run(at) })))
  }, [hotkeys, names])
}
