/** The search of a list: what is typed is in force 300 ms after the last key; `/` goes there. */

import { useEffect, useRef, useState } from "preact/hooks"
import { after } from "../../platform/timers.ts"
import style from "./search-field.module.css"
import { text } from "./text.ts"
import { useHotkeys } from "../use-hotkeys.ts"

/** Longer than between two keys of most people, so that a word is one request. */
const typedMs = 300

export interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly maxLength: number
  readonly onValue: (value: string) => void
}

export function SearchField({ label, value, maxLength, onValue }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const field = useRef<HTMLInputElement>(null)
  const focus = (): void => field.current?.focus()
  useHotkeys([{ keys: "/", text: text.keys.search, group: "page", run: focus }])
  // Another value than the typed one comes from the address: Back, or a button.
  if (value !== told.current) {
    told.current = value
    setTyped(value)
  }
  useEffect(() => {
    if (typed === told.current) return undefined
    return after(typedMs, () => {
      told.current = typed
      onValue(typed)
    })
  }, [typed])
  return (
    <input
      ref={field}
      type="search"
      class={style["search"]}
      aria-label={label}
      placeholder={label}
      maxLength={maxLength}
      dir="auto"
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  )
}
