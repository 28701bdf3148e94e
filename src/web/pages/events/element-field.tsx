/** The element of an annotation, completed by a part of its name. */

import { useEffect, useState } from "preact/hooks"
import { search, searchLengthMax } from "../../api/search.ts"
import type { SearchItem } from "../../api/search-answer.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { ComboboxField } from "../../parts/combobox/combobox-field.tsx"
import type { Suggestion } from "../../parts/combobox/combobox.tsx"
import { after } from "../../platform/timers.ts"
import { text } from "./text.ts"

/** After the last key, so that a word is one request. */
const typedMs = 150
/** More are found by more letters; the note says how many there are. */
const suggestionsMax = 20

interface ElementFieldProps {
  /** An id or FQN. */
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error: string | null
}

export function ElementField({ value, onValue, error }: ElementFieldProps) {
  const [typed, setTyped] = useState("")
  const found = useElements(typed)
  return (
    <ComboboxField
      label={text.element}
      placeholder={text.everything}
      hint={text.elementHint}
      error={error}
      value={value}
      suggestions={found === null ? [] : found.items.map(suggestionOf)}
      note={found === null ? text.searching : text.elementsFound(found.items.length, found.total)}
      onType={setTyped}
      onChoose={onValue}
    />
  )
}

/** Null until they are known. */
function useElements(typed: string) {
  const { api } = useApp()
  const [asked, setAsked] = useState("")
  useEffect(() => after(typedMs, () => setAsked(typed.trim().slice(0, searchLengthMax))), [typed])
  const found = useLoaded(asked === "" ? null : asked, async (signal) => {
    const query = { q: asked, kinds: ["elements"], limit: suggestionsMax } as const
    return (await search(api, query, signal)).elements ?? null
  })
  return asked === "" ? null : found.value
}

/** The name, if it says more than the FQN, and the type. */
function suggestionOf({ title, subtitle, link, id }: SearchItem): Suggestion {
  const fqn = link.id ?? id
  return { value: fqn, detail: title === fqn ? subtitle : `${title} · ${subtitle}` }
}
