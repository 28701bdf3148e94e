/**
 * Suggestions below the field of the filter. The field keeps the focus and hands its keys over:
 * arrows mark a suggestion, Enter takes the marked one, Escape closes the list.
 */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { visibleText } from "../../format/visible-text.ts"
import { Floating } from "../../parts/floating.tsx"
import { useMark } from "../../parts/combobox/use-mark.ts"
import { after } from "../../platform/timers.ts"
import { completionOf, type Completion } from "../../url/filter-completion.ts"
import { useApp } from "../app.ts"
import { useLoaded } from "../use-loaded.ts"
import {
  findSuggestions,
  type FilterSuggestion,
  type FoundSuggestions,
} from "./find-suggestions.ts"
import style from "./suggestions.module.css"
import { text } from "./text.ts"

/** After the last key, so that a word is one request. */
const typedMs = 150

/** True if the key was for the list. */
export type ListKey = (key: string) => boolean

export interface SuggestionListProps {
  readonly id: string
  readonly field: HTMLInputElement
  readonly typed: string
  /** Takes the keys of the field while the list is there. */
  readonly keys: { current: ListKey | null }
  /** Id of the marked suggestion; undefined without one, null if no list is shown. */
  readonly onMark: (marked: string | undefined | null) => void
  /** Whether the value that is typed may be the beginning of one. */
  readonly onPartial: (isPartial: boolean) => void
  readonly onChoose: (suggestion: FilterSuggestion) => void
  readonly onClose: () => void
}

export default function SuggestionList(props: SuggestionListProps) {
  const { id, field, typed, keys, onMark, onPartial, onChoose, onClose } = props
  const { list, total, isLoaded, error } = useSuggestions(typed)
  const isShown = list.length > 0
  const [current, mark] = useMark(
    typed,
    list.map(({ key }) => key),
  )
  useEffect(() => {
    onMark(isShown ? (current < 0 ? undefined : `${id}-${current}`) : null)
    return () => onMark(null)
  }, [isShown, current])
  const isPartial = error === null && isPartialValue(typed, isLoaded ? list : null)
  useLayoutEffect(() => onPartial(isPartial), [isPartial])
  keys.current = (key) => {
    if (!isShown) return false
    const chosen = list[current]
    if (key === "Escape") onClose()
    else if (key === "Enter" && chosen !== undefined) onChoose(chosen)
    else if (key === "ArrowDown") mark((current + 1) % list.length)
    else if (key === "ArrowUp") mark(current <= 0 ? -1 : current - 1)
    else return false
    return true
  }
  useEffect(() => () => void (keys.current = null), [])
  if (!isShown) {
    return (
      <span class="visually-hidden" role="status">
        {isLoaded ? text.nothing : ""}
      </span>
    )
  }
  return (
    <Floating anchor={field} onClose={onClose}>
      <ul id={id} class={style["list"]} role="listbox" aria-label={text.label}>
        {list.map((suggestion, i) => (
          <Option
            key={suggestion.key}
            id={`${id}-${i}`}
            suggestion={suggestion}
            isMarked={i === current}
            onChoose={onChoose}
          />
        ))}
      </ul>
      <p class={style["note"]} role="status">
        {text.note(list.length, total)}
      </p>
    </Floating>
  )
}

interface OptionProps {
  readonly id: string
  readonly suggestion: FilterSuggestion
  readonly isMarked: boolean
  readonly onChoose: (suggestion: FilterSuggestion) => void
}

function Option({ id, suggestion, isMarked, onChoose }: OptionProps) {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isMarked) item.current?.scrollIntoView({ ["block"]: "nearest" })
  }, [isMarked])
  return (
    <li
      ref={item}
      id={id}
      role="option"
      aria-selected={isMarked}
      class={style["option"]}
      // The field keeps the focus: a blur would take what is typed.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => onChoose(suggestion)}
    >
      <span class={style["title"]} dir="auto">
        {visibleText(suggestion.title)}
      </span>
      <span class="secondary" dir="auto">
        {visibleText(suggestion.detail)}
      </span>
    </li>
  )
}

const none = { list: [], total: 0 }

/**
 * Until those of the text are there, the former ones that still match are shown: a choice replaces
 * what is searched for, so that it means the same.
 */
function useSuggestions(typed: string) {
  const { api } = useApp()
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => after(typedMs, () => setSettled(typed)), [typed])
  const isAsked = settled !== null && completionOf(settled) !== null
  const found = useLoaded(isAsked ? settled : null, async (signal) => {
    const completion = completionOf(settled ?? "")
    const suggestions = completion === null ? none : await findSuggestions(api, completion, signal)
    return { ...suggestions, of: settled }
  })
  const { value: former, error } = found
  return useMemo(() => {
    if (former === null) return { ...none, isLoaded: false, error }
    if (former.of === typed) return { ...former, isLoaded: true, error }
    const left = stillMatching(former, completionOf(former.of ?? ""), typed)
    return { ...left, isLoaded: false, error }
  }, [former, typed, error])
}

/**
 * Whether a typed value may be the beginning of one that there is: `type:DA` of `type:DATABASE`.
 * `found`: the values with this text; null while they are looked for.
 */
function isPartialValue(typed: string, found: readonly FilterSuggestion[] | null): boolean {
  const completion = completionOf(typed)
  if (completion?.wanted.kind !== "value") return false
  if (found === null) return true
  return found.length > 0 && found.every(({ title }) => title !== completion.searched)
}

function stillMatching(
  { list }: FoundSuggestions,
  former: Completion | null,
  typed: string,
): FoundSuggestions {
  const now = completionOf(typed)
  const isSame = former?.before === now?.before && former?.wanted.kind === now?.wanted.kind
  if (now === null || !isSame) return none
  const searched = now.searched.toLowerCase()
  const left = list.filter(({ title }) => title.toLowerCase().includes(searched))
  return { list: left, total: left.length }
}
