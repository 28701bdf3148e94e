/**
 * Floating: a panel next to the control that opens it, within the window. Escape and a press
 * outside close it; the focus goes back to the opener. What the panel is (menu, list, form) says
 * what draws it.
 */

import { autoUpdate, computePosition, flip, offset, shift, size } from "@floating-ui/dom"
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import style from "./floating.module.css"

export interface FloatingProps {
  /** The control next to which it is placed. */
  readonly anchor: HTMLElement
  readonly onClose: () => void
  readonly align?: "start" | "end"
  readonly children: ComponentChildren
}

const gap = 4
const windowGap = 8

export function Floating({ anchor, onClose, align = "start", children }: FloatingProps) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => keepPosition(anchor, panel.current!, align), [anchor, align])
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

function keepPosition(anchor: HTMLElement, panel: HTMLElement, align: "start" | "end"): () => void {
  const update = async (): Promise<void> => {
    const { x, y } = await computePosition(anchor, panel, {
      placement: `bottom-${align}`,
      strategy: "fixed",
      middleware: [
        offset(gap),
        flip({ padding: windowGap }),
        shift({ padding: windowGap }),
        size({
          padding: windowGap,
          apply({ availableHeight, rects }) {
            panel.style.setProperty("--floating-height", `${Math.max(96, availableHeight)}px`)
            panel.style.setProperty("--anchor-width", `${rects.reference.width}px`)
          },
        }),
      ],
    })
    panel.style.translate = `${Math.round(x)}px ${Math.round(y)}px`
  }
  return autoUpdate(anchor, panel, () => void update())
}
