/**
 * Toasts: short messages at the bottom, announced to screen readers politely. Errors stay until
 * they are closed; others go after six seconds, unless they are pointed at or have the focus.
 */

import { signal, type ReadonlySignal } from "@preact/signals"
import close from "heroicons/20/solid/x-mark.svg"
import { after } from "../platform/timers.ts"
import { Button } from "./button.tsx"
import { classNames } from "./class-names.ts"
import style from "./toasts.module.css"

export interface Toast {
  readonly id: number
  readonly text: string
  readonly kind: "done" | "error"
}

const shownMs = 6_000
/** Older ones go: more do not fit a phone. */
const toastsMax = 4

export class Toasts {
  private readonly shown = signal<readonly Toast[]>([])
  private nextId = 1
  /** While a toast is pointed at or focused none goes by itself. */
  isHeld = false

  get all(): ReadonlySignal<readonly Toast[]> {
    return this.shown
  }

  show(text: string, kind: Toast["kind"] = "done"): void {
    const toast = { id: this.nextId++, text, kind }
    this.shown.value = [...this.shown.value.slice(1 - toastsMax), toast]
    if (kind === "done") this.closeLater(toast.id)
  }

  close(id: number): void {
    this.shown.value = this.shown.value.filter((toast) => toast.id !== id)
  }

  private closeLater(id: number): void {
    after(shownMs, () => (this.isHeld ? this.closeLater(id) : this.close(id)))
  }
}

export interface ToastListProps {
  readonly toasts: Toasts
  readonly closeName: string
}

export function ToastList({ toasts, closeName }: ToastListProps) {
  const hold = (isHeld: boolean) => () => {
    toasts.isHeld = isHeld
  }
  return (
    <div
      class={style["list"]}
      role="status"
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocusIn={hold(true)}
      onFocusOut={hold(false)}
    >
      {toasts.all.value.map(({ id, text, kind }) => (
        <div key={id} class={classNames(style["toast"], style[kind])}>
          <span dir="auto">{text}</span>
          <Button kind="quiet" icon={close} iconName={closeName} onClick={() => toasts.close(id)} />
        </div>
      ))}
    </div>
  )
}
