/**
 * Combobox: a field with a list of what may be meant. Arrows move in the list, Enter takes what is
 * marked or else what is typed, and a second Enter goes on to the form; Escape closes the list, and
 * then takes back what is typed; typing never chooses by itself.
 */

import type { TargetedKeyboardEvent } from "preact"
import { useCallback, useId, useRef, useState } from "preact/hooks"
import { visibleText } from "../../format/visible-text.ts"
import style from "./combobox.module.css"
import type { ControlAttributes } from "../field.tsx"
import { Floating } from "../floating.tsx"
import { useStateOf } from "../use-state-of.ts"
import { useMark } from "./use-mark.ts"

export interface Suggestion {
  readonly value: string
  /** Next to the value, such as a count. */
  readonly detail?: string
}

export interface ComboboxProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly suggestions: readonly Suggestion[]
  /** How many there are, or that there are none; announced. */
  readonly note: string
  readonly onType: (typed: string) => void
  /** A suggestion, or a typed text at Enter or when the field is left. */
  readonly onChoose: (value: string) => void
  /** Has the focus first in its dialog. */
  readonly autofocus?: boolean
  /** Tie it to the texts of a field. */
  readonly attributes?: ControlAttributes
}

export function Combobox(props: ComboboxProps) {
  const { label, placeholder, value, suggestions, note, onType, onChoose, autofocus } = props
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useStateOf(value, value)
  const [isOpen, setOpen] = useState(false)
  const [marked, mark] = useMark(typed, valuesOf(suggestions))
  const close = useCallback(() => setOpen(false), [])
  const choose = (chosen: string): void => {
    close()
    setTyped(chosen)
    if (chosen !== value) onChoose(chosen)
  }
  const type = (next: string): void => {
    setTyped(next)
    setOpen(true)
    onType(next)
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const isTyped = typed !== value
    const action = keyAction(event.key, { isOpen, isTyped, marked, count: suggestions.length })
    if (action === null) return
    event.preventDefault()
    if (action === "close") {
      event.stopPropagation()
      if (isOpen) close()
      else setTyped(value)
    } else if (action === "choose") {
      choose((isOpen ? suggestions[marked]?.value : undefined) ?? typed.trim())
    } else {
      setOpen(true)
      mark(action)
    }
  }
  const isShown = isOpen && field.current !== null && (suggestions.length > 0 || typed !== "")
  return (
    <span class={style["holder"]}>
      <input
        {...props.attributes}
        ref={field}
        class={style["field"]}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown && marked >= 0 ? `${id}-${marked}` : undefined}
        placeholder={placeholder}
        autofocus={autofocus}
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        value={typed}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onFocus={() => onType(typed)}
        onClick={() => setOpen(true)}
        onBlur={() => choose(typed.trim())}
        onKeyDown={onKeyDown}
      />
      {isShown && (
        <Floating anchor={field.current!} onClose={close}>
          <div class={style["note"]} role="status">
            {note}
          </div>
          <Options {...{ id, label, suggestions, marked }} onChoose={choose} />
        </Floating>
      )}
    </span>
  )
}

const valuesOf = (suggestions: readonly Suggestion[]) => suggestions.map(({ value }) => value)

interface ListState {
  readonly isOpen: boolean
  readonly isTyped: boolean
  readonly marked: number
  readonly count: number
}

/** The position that a key marks, or what else it does; null for a key of the field. */
function keyAction(
  key: string,
  { isOpen, isTyped, marked, count }: ListState,
): number | "close" | "choose" | null {
  if (key === "Escape") return isOpen || isTyped ? "close" : null
  if (key === "Enter") return isOpen || isTyped ? "choose" : null
  if ((key !== "ArrowDown" && key !== "ArrowUp") || count === 0) return null
  const step = key === "ArrowDown" ? 1 : -1
  // From none, down is the first and up the last.
  if (marked < 0) return step > 0 ? 0 : count - 1
  return (marked + step + count) % count
}

interface OptionsProps extends Pick<ComboboxProps, "label" | "suggestions" | "onChoose"> {
  readonly id: string
  readonly marked: number
}

function Options({ id, label, suggestions, marked, onChoose }: OptionsProps) {
  return (
    <ul id={`${id}-list`} class={style["list"]} role="listbox" aria-label={label}>
      {suggestions.map(({ value, detail }, i) => (
        <li
          key={value}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === marked}
          class={style["option"]}
          // The field keeps the focus: a blur would take what is typed.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(value)}
          ref={(item) => {
            if (i === marked) item?.scrollIntoView({ ["block"]: "nearest" })
          }}
        >
          <span dir="auto">{visibleText(value)}</span>
          {detail !== undefined && <span class="secondary">{detail}</span>}
        </li>
      ))}
    </ul>
  )
}
