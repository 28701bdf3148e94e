/**
 * Menu: a button that opens a list of commands. Arrows move, Home and End jump, a letter goes to
 * the next command that begins with it, Enter and Space run it, Escape and Tab close.
 */

import type { ComponentChildren, TargetedKeyboardEvent } from "preact"
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks"
import chevron from "heroicons/20/solid/chevron-down.svg"
import { Button, type ButtonProps } from "./button.tsx"
import { Floating } from "./floating.tsx"
import { Icon } from "./icon.tsx"
import style from "./menu.module.css"

export interface MenuItem {
  readonly text: string
  readonly run: () => void
  readonly isDanger?: boolean
  /** For a choice: whether it is the present one. */
  readonly isChosen?: boolean
}

export interface MenuProps {
  readonly kind?: ButtonProps["kind"]
  readonly icon?: readonly string[]
  /** Name of a button that shows an icon alone. */
  readonly iconName?: string
  readonly items: readonly MenuItem[]
  readonly align?: "start" | "end"
  readonly children?: ComponentChildren
}

export function Menu({ kind = "normal", icon, iconName, items, align, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLSpanElement>(null)
  const close = useCallback(() => setOpen(false), [])
  const button = opener.current?.querySelector("button")
  return (
    <span ref={opener} class={style["holder"]}>
      <Button
        kind={kind}
        {...(icon !== undefined && { icon })}
        {...(iconName !== undefined && { iconName })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {children}
        {iconName === undefined && <Icon paths={chevron} size={16} />}
      </Button>
      {isOpen && button !== null && button !== undefined && (
        <Floating anchor={button} onClose={close} {...(align !== undefined && { align })}>
          <MenuList items={items} onEnd={close} opener={button} />
        </Floating>
      )}
    </span>
  )
}

interface MenuListProps {
  readonly items: readonly MenuItem[]
  readonly onEnd: () => void
  readonly opener: HTMLElement
}

function MenuList({ items, onEnd, opener }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null)
  // Before the next key.
  useLayoutEffect(() => focusItem(list.current, 0), [])
  const run = (item: MenuItem): void => {
    opener.focus()
    onEnd()
    item.run()
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    if (event.key === "Tab") return onEnd()
    const at = itemsOf(list.current).indexOf(document.activeElement as HTMLElement)
    const target = targetOf(event.key, at, items)
    if (target === null) return
    event.preventDefault()
    focusItem(list.current, target)
  }
  return (
    <div ref={list} class={style["list"]} role="menu" onKeyDown={onKeyDown}>
      {items.map((item) => (
        <button
          key={item.text}
          type="button"
          role={item.isChosen === undefined ? "menuitem" : "menuitemradio"}
          aria-checked={item.isChosen}
          tabIndex={-1}
          class={item.isDanger === true ? style["danger"] : style["item"]}
          onClick={() => run(item)}
        >
          {item.text}
        </button>
      ))}
    </div>
  )
}

function itemsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>("button") ?? [])]
}

function focusItem(list: HTMLElement | null, index: number): void {
  itemsOf(list)[index]?.focus()
}

/** The command that a key goes to, from the one at `at`; null if it goes to none. */
function targetOf(key: string, at: number, items: readonly MenuItem[]): number | null {
  const count = items.length
  if (key === "ArrowDown") return (at + 1) % count
  if (key === "ArrowUp") return (at - 1 + count) % count
  if (key === "Home") return 0
  if (key === "End") return count - 1
  if (key.length !== 1 || key === " ") return null
  for (let step = 1; step <= count; step++) {
    const i = (at + step) % count
    if (items[i]!.text.toLowerCase().startsWith(key.toLowerCase())) return i
  }
  return null
}
