/**
 * Tabs: one of several parts of a page. The arrows, Home and End move between the tabs and show
 * them; Tab goes to what is shown.
 */

import type { ComponentChildren, TargetedKeyboardEvent } from "preact"
import { useId } from "preact/hooks"
import style from "./tabs.module.css"

export interface TabsProps<Name extends string> {
  readonly label: string
  readonly tabs: readonly { readonly name: Name; readonly text: string }[]
  readonly shown: Name
  readonly onShow: (name: Name) => void
  /** Of the tab that is shown. */
  readonly children: ComponentChildren
}

export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, shown, onShow, children } = props
  const id = useId()
  const at = tabs.findIndex(({ name }) => name === shown)
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const target = targetOf(event.key, at, tabs.length)
    if (target === null) return
    event.preventDefault()
    event.currentTarget.querySelectorAll("button")[target]?.focus()
    onShow(tabs[target]!.name)
  }
  return (
    <div class={style["tabs"]}>
      <div class={style["list"]} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ name, text }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            class={style["tab"]}
            aria-selected={name === shown}
            aria-controls={name === shown ? `${id}-panel` : undefined}
            tabIndex={name === shown ? 0 : -1}
            onClick={() => onShow(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${shown}`}>
        {children}
      </div>
    </div>
  )
}

function targetOf(key: string, at: number, count: number): number | null {
  if (key === "ArrowRight") return (at + 1) % count
  if (key === "ArrowLeft") return (at - 1 + count) % count
  if (key === "Home") return 0
  return key === "End" ? count - 1 : null
}
