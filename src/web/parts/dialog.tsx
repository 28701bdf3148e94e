/**
 * Dialog: the browser's modal `<dialog>`. The first control of its content has the focus: one with
 * `autofocus`, or else the first field that can be edited, or else the first button or link. At the
 * end the opener has it again. Escape and the button close the dialog; the page behind it cannot be
 * reached meanwhile.
 */

import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import close from "heroicons/20/solid/x-mark.svg"
import { keepFocus, restoreFocus } from "../platform/focus.ts"
import { Button } from "./button.tsx"
import { classNames } from "./class-names.ts"
import style from "./dialog.module.css"

export interface DialogProps {
  readonly title: string
  readonly closeName: string
  /** Absent for a dialog that only its content ends. */
  readonly onClose?: () => void
  /**
   * "palette" is placed at the top of the page. Its heading and Close come last, and are seen only
   * when Close has the focus. "sheet" comes from the bottom of a phone.
   */
  readonly shape?: "normal" | "wide" | "palette" | "sheet"
  readonly children: ComponentChildren
}

export function Dialog({ title, closeName, onClose, shape = "normal", children }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const content = useRef<HTMLDivElement>(null)
  // In the frame of the change: an effect ends after the next paint, when a person may have gone on
  // to another control, and would take the focus from it.
  useLayoutEffect(() => {
    const shown = dialog.current!
    const opener = document.activeElement
    shown.showModal()
    const end = keepFocus(shown, content.current!)
    return () => {
      end()
      // Nothing behind an open dialog takes the focus.
      shown.close()
      if (opener instanceof HTMLElement) opener.focus()
      restoreFocus()
    }
  }, [])
  const head = (
    <div class={style["head"]}>
      <h2 id={id}>{title}</h2>
      {onClose !== undefined && (
        <Button kind="quiet" icon={close} iconName={closeName} onClick={onClose} />
      )}
    </div>
  )
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
      <div class={style["frame"]}>
        {shape !== "palette" && head}
        <div ref={content} class={style["content"]}>
          {children}
        </div>
        {shape === "palette" && head}
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

/** Asks before a change that cannot be taken back: Cancel has the focus. Calls `onClose` before `onConfirm`. */
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
