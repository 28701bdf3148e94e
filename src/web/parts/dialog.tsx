/**
 * Dialog: the browser's modal `<dialog>`. It takes the focus and gives it back to the opener;
 * Escape and the button close it; the page behind it cannot be reached meanwhile.
 */

import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import close from "heroicons/20/solid/x-mark.svg"
import { Button } from "./button.tsx"
import style from "./dialog.module.css"
import { classNames } from "./class-names.ts"

export interface DialogProps {
  readonly title: string
  readonly closeName: string
  /** Absent for a dialog that only its content ends. */
  readonly onClose?: () => void
  /** "palette" is placed at the top of the page; only screen readers get its heading. */
  readonly shape?: "normal" | "wide" | "palette"
  readonly children: ComponentChildren
}

export function Dialog({ title, closeName, onClose, shape = "normal", children }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // In the frame of the change: an effect ends after the next paint, when a person may have gone on
  // to another control, and would take the focus from it.
  useLayoutEffect(() => {
    const shown = dialog.current!
    const opener = document.activeElement
    shown.showModal()
    return () => {
      // Nothing behind an open dialog takes the focus.
      shown.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={classNames(style["dialog"], style[shape])}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose?.()
      }}
    >
      <div class={style["content"]}>
        <div class={classNames(style["head"], shape === "palette" && "visually-hidden")}>
          <h2 id={id}>{title}</h2>
          {onClose !== undefined && (
            <Button kind="quiet" icon={close} iconName={closeName} onClick={onClose} />
          )}
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ComponentChildren }) {
  return <div class={style["actions"]}>{children}</div>
}

export interface ConfirmDialogProps extends Pick<DialogProps, "title" | "closeName"> {
  /** The consequence. */
  readonly text: string
  readonly cancelText: string
  readonly confirmText: string
  readonly onClose: () => void
  readonly onConfirm: () => void
}

/** Asks before a change that cannot be taken back. Calls `onClose` before `onConfirm`. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, closeName, text, cancelText, confirmText, onClose, onConfirm } = props
  return (
    <Dialog title={title} closeName={closeName} onClose={onClose}>
      <p>{text}</p>
      <DialogActions>
        <Button onClick={onClose}>{cancelText}</Button>
        <Button
          kind="danger"
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {confirmText}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
