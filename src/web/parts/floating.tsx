/**
 * Floating: a panel next to the control that opens it, within the window. Escape and a press
 * outside close it; the focus goes back to the opener. What the panel is (menu, list, form) says
 * what draws it.
 */

import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { shownWindow } from "../platform/measure.ts"
import { floatNextTo, type FloatAlign } from "../platform/float.ts"
import { beforePaint } from "../platform/timers.ts"
import style from "./floating.module.css"

export interface FloatingProps {
  /** The control next to which it is placed. */
  readonly anchor: HTMLElement
  readonly onClose: () => void
  readonly align?: FloatAlign
  readonly children: ComponentChildren
}

export function Floating({ anchor, onClose, align = "start", children }: FloatingProps) {
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => keepPosition(anchor, panel.current!, align), [anchor, align])
  useEffect(() => {
    const onPress = (event: PointerEvent): void => {
      const path = event.composedPath()
      if (!path.includes(panel.current!) && !path.includes(anchor)) onClose()
    }
    document.addEventListener("pointerdown", onPress)
    return () => document.removeEventListener("pointerdown", onPress)
  }, [anchor, onClose])
  return (
    <div
      ref={panel}
      class={style["panel"]}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.stopPropagation()
        event.preventDefault()
        anchor.focus()
        onClose()
      }}
    >
      {children}
    </div>
  )
}

/**
 * Moves a panel with a fixed position to its position, and again when it or its control moves or
 * changes its size, until the returned function is called. The panel is given the variables
 * `--floating-height` and `--anchor-width`.
 */
function keepPosition(anchor: HTMLElement, panel: HTMLElement, align: FloatAlign): () => void {
  panel.style.translate = ""
  let moved = { left: 0, top: 0 }
  let cancel = (): void => {}
  const move = (): void => {
    const [control, own] = [anchor.getBoundingClientRect(), panel.getBoundingClientRect()]
    const { left, top, heightMax } = floatNextTo(control, own, shownWindow(), align)
    const next = {
      left: Math.round(left - (own.left - moved.left)),
      top: Math.round(top - (own.top - moved.top)),
    }
    panel.style.setProperty("--floating-height", `${heightMax}px`)
    panel.style.setProperty("--anchor-width", `${control.width}px`)
    panel.style.translate = `${next.left}px ${next.top}px`
    moved = next
  }
  const follow = (): void => {
    move()
    cancel = beforePaint(follow)
  }
  move()
  // The first position gives the panel its size, from which the second one follows.
  follow()
  return () => cancel()
}
