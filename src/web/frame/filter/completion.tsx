/** The list that completes what is typed in the filter: when it is shown, and what the field says. */

import type { ComponentChildren, TargetedKeyboardEvent } from "preact"
import { useCallback, useId, useRef, useState } from "preact/hooks"
import { lazyCode } from "../../platform/code.ts"
import type { ListKey } from "./suggestions.tsx"

type SuggestionsModule = typeof import("./suggestions.tsx")
const loadSuggestions = lazyCode(() => import("./suggestions.tsx"))

interface CompletionOptions {
  readonly field: { readonly current: HTMLInputElement | null }
  readonly typed: string
  /** Replaces the typed text: a value is typed next. */
  readonly type: (typed: string) => void
  /** Takes a text as chips. */
  readonly take: (typed: string) => void
}

export interface FieldCompletion {
  readonly fieldAttributes: Readonly<Record<string, string | boolean | undefined>>
  /** Null while no list is shown. */
  readonly list: ComponentChildren
  readonly isListed: boolean
  /** The value at the end may be the beginning of one: what there is is not known, or chosen, yet. */
  readonly isPartial: boolean
  open(): void
  close(): void
  /** True if the key was for the list. */
  takeKey(event: TargetedKeyboardEvent<HTMLInputElement>): boolean
}

export function useCompletion({ field, typed, type, take }: CompletionOptions): FieldCompletion {
  const id = useId()
  const keys = useRef<ListKey | null>(null)
  const [isOpen, setOpen] = useState(false)
  /** Null if no list is shown, undefined if nothing in it is marked. */
  const [marked, setMarked] = useState<string | undefined | null>(null)
  const [isPartial, setPartial] = useState(false)
  const [module, setModule] = useState<SuggestionsModule | null>(null)
  const close = useCallback(() => setOpen(false), [])
  const open = (): void => {
    setOpen(true)
    // Without the list the field still works.
    if (module === null) loadSuggestions().then(setModule, () => setModule(null))
  }
  const isMounted = isOpen && module !== null && field.current !== null && typed !== ""
  const isListed = isMounted && marked !== null
  return {
    fieldAttributes: {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": isListed,
      "aria-controls": isListed ? id : undefined,
      "aria-activedescendant": isListed ? marked : undefined,
    },
    isListed,
    isPartial: isMounted && isPartial,
    list: isMounted && (
      <module.default
        id={id}
        field={field.current!}
        typed={typed}
        keys={keys}
        onMark={setMarked}
        onPartial={setPartial}
        onClose={close}
        onChoose={(suggestion) => {
          if (suggestion.isWhole) take(suggestion.typed)
          else type(suggestion.typed)
          setOpen(!suggestion.isWhole)
        }}
      />
    ),
    open,
    close,
    takeKey(event) {
      if (event.isComposing) return false
      if (event.key === "ArrowDown" && !isOpen && typed !== "") open()
      else if (!isMounted || keys.current?.(event.key) !== true) return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}
