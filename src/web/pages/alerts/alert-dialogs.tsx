/** Dialogs of changes: the note of an acknowledgement, the confirmation of a closing. */

import { useState } from "preact/hooks"
import type { IncidentChange } from "../../api/incident/listed.ts"
import style from "../../frame/rows/bulk.module.css"
import { Button } from "../../parts/button.tsx"
import { ConfirmDialog, Dialog, DialogActions } from "../../parts/dialog.tsx"
import { TextField } from "../../parts/field.tsx"
import { text } from "./text.ts"

/** As many characters as the server takes. */
const noteLengthMax = 4_000

export interface AlertDialogProps {
  readonly count: number
  readonly onClose: () => void
  readonly onChange: (change: IncidentChange) => void
}

export function AcknowledgeDialog({ count, onClose, onChange }: AlertDialogProps) {
  const [note, setNote] = useState("")
  return (
    <Dialog title={text.acknowledgeTitle(count)} closeName={text.closeDialog} onClose={onClose}>
      <form
        class={style["form"]}
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          onChange(note.trim() === "" ? { action: "ack" } : { action: "ack", note: note.trim() })
        }}
      >
        <TextField
          label={text.note}
          hint={text.noteHint}
          value={note}
          onValue={setNote}
          maxLength={noteLengthMax}
        />
        <DialogActions>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button kind="main" type="submit">
            {text.acknowledgeNow}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export function CloseDialog({ count, onClose, onChange }: AlertDialogProps) {
  return (
    <ConfirmDialog
      title={text.closeTitle(count)}
      closeName={text.closeDialog}
      text={text.closeText}
      cancelText={text.cancel}
      confirmText={text.closeNow}
      onClose={onClose}
      onConfirm={() => onChange({ action: "close" })}
    />
  )
}
