/** The dialog that writes an annotation: about an element, or about everything. */

import { useState } from "preact/hooks"
import { annotate } from "../../api/events.ts"
import { useApp } from "../../frame/app.ts"
import style from "../../frame/rows/bulk.module.css"
import { Button } from "../../parts/button.tsx"
import { Dialog, DialogActions } from "../../parts/dialog.tsx"
import { TextField } from "../../parts/field.tsx"
import { text } from "./text.ts"

/** As many characters as the server takes. */
const lengthMax = { title: 200, message: 4_000, element: 512 }

export interface AnnotationDialogProps {
  readonly onClose: () => void
  readonly onWritten: () => void
}

export function AnnotationDialog({ onClose, onWritten }: AnnotationDialogProps) {
  const { api, toasts } = useApp()
  const [title, setTitle] = useState("")
  const [message, setMessage] = useState("")
  const [element, setElement] = useState("")
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const write = (): void => {
    if (title.trim() === "") return setError(text.needsTitle)
    setBusy(true)
    const elementId = element.trim()
    annotate(api, {
      title: title.trim(),
      ...(message.trim() !== "" && { message: message.trim() }),
      ...(elementId !== "" && { elementId }),
    })
      .then(
        () => {
          toasts.show(text.written)
          onClose()
          onWritten()
        },
        (problem: Error) => setError(problem.message),
      )
      .finally(() => setBusy(false))
  }
  return (
    <Dialog title={text.writeTitle} closeName={text.close} onClose={onClose}>
      <form
        class={style["form"]}
        onSubmit={(event) => {
          event.preventDefault()
          write()
        }}
      >
        <TextField
          label={text.writeField}
          value={title}
          onValue={setTitle}
          maxLength={lengthMax.title}
          error={error}
        />
        <TextField
          label={text.message}
          value={message}
          onValue={setMessage}
          maxLength={lengthMax.message}
        />
        <TextField
          label={text.element}
          hint={text.elementHint}
          value={element}
          onValue={setElement}
          maxLength={lengthMax.element}
        />
        <DialogActions>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button kind="main" type="submit" isBusy={isBusy}>
            {text.writeNow}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
