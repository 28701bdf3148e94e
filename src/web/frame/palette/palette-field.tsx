/** The field of the palette, which takes keys before the module of the list is loaded. */

import type { TargetedKeyboardEvent } from "preact"
import magnifier from "heroicons/20/solid/magnifying-glass.svg"
import { Icon } from "../../parts/icon.tsx"
import { text } from "./opener-text.ts"
import style from "./palette.module.css"

export interface PaletteFieldProps {
  readonly typed: string
  readonly maxLength?: number
  readonly onType: (typed: string) => void
  readonly onEnter: (inNewTab: boolean) => void
  /** Marks the next entry (1) or the one before (-1). */
  readonly onStep?: (step: number) => void
  /** The list and the marked entry, by their ids; null without entries. */
  readonly list?: { readonly id: string; readonly currentId: string } | null
}

export function PaletteField(props: PaletteFieldProps) {
  const { typed, maxLength, onType, onEnter, onStep, list = null } = props
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      onStep?.(step)
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault()
      onEnter(event.ctrlKey || event.metaKey)
    }
  }
  return (
    <div class={style["field"]}>
      <Icon paths={magnifier} />
      <input
        class={style["input"]}
        role="combobox"
        aria-label={text.title}
        aria-autocomplete="list"
        aria-expanded={list !== null}
        aria-controls={list?.id}
        aria-activedescendant={list?.currentId}
        placeholder={text.placeholder}
        autocomplete="off"
        spellcheck={false}
        maxLength={maxLength}
        dir="auto"
        value={typed}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}
