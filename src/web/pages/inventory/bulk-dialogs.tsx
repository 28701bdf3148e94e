/** Dialogs of bulk changes: a tag, and the confirmation of a deletion. */

import { useState } from "preact/hooks"
import type { BulkChange } from "../../api/elements.ts"
import style from "../../frame/rows/bulk.module.css"
import { Button } from "../../parts/button.tsx"
import { ConfirmDialog, Dialog, DialogActions } from "../../parts/dialog.tsx"
import { TextField } from "../../parts/field.tsx"
import { text } from "./text.ts"

export interface TagDialogProps {
  readonly count: number
  readonly onClose: () => void
  readonly onChange: (change: BulkChange) => void
}

export function TagDialog({ count, onClose, onChange }: TagDialogProps) {
  const [name, setName] = useState("")
  const [value, setValue] = useState("")
  const [isMissing, setMissing] = useState(false)
  const run = (action: "setTags" | "removeTags"): void => {
    if (name.trim() === "") return setMissing(true)
    const tag = action === "setTags" ? { name: name.trim(), value } : { name: name.trim() }
    onChange({ action, tags: [tag] })
    onClose()
  }
  return (
    <Dialog title={text.tagTitle(count)} closeName={text.close} onClose={onClose}>
      <form
        class={style["form"]}
        onSubmit={(event) => {
          event.preventDefault()
          run("setTags")
        }}
      >
        <TextField
          label={text.tagName}
          value={name}
          onValue={setName}
          error={isMissing && name.trim() === "" ? text.needsName : null}
        />
        <TextField label={text.tagValue} value={value} onValue={setValue} />
        <DialogActions>
          <Button onClick={() => run("removeTags")}>{text.removeTag}</Button>
          <Button kind="main" type="submit">
            {text.setTag}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export interface DeleteDialogProps {
  readonly count: number
  readonly onClose: () => void
  readonly onDelete: () => void
}

export function DeleteDialog({ count, onClose, onDelete }: DeleteDialogProps) {
  return (
    <ConfirmDialog
      title={text.deleteTitle(count)}
      closeName={text.close}
      text={text.deleteText}
      cancelText={text.cancel}
      confirmText={text.deleteNow}
      onClose={onClose}
      onConfirm={onDelete}
    />
  )
}
