/** Saves what the address of the page has under a name. */

import { useState } from "preact/hooks"
import { createView } from "../../api/views.ts"
import { visibleText } from "../../format/visible-text.ts"
import { Button } from "../../parts/button.tsx"
import { Dialog, DialogActions } from "../../parts/dialog.tsx"
import { CheckField, TextField } from "../../parts/field.tsx"
import { parseAddress } from "../../url/address.ts"
import { useApp } from "../app.ts"
import { mayWrite } from "../session/session.ts"
import { text } from "./text.ts"
import style from "./views.module.css"

/** The server's limit of a name. */
export const nameLengthMax = 200

interface SaveDialogProps {
  readonly page: string
  readonly onClose: () => void
  readonly onSaved: () => void
}

export function SaveDialog({ page, onClose, onSaved }: SaveDialogProps) {
  const { api, navigation, session, toasts } = useApp()
  const [name, setName] = useState("")
  const [shared, setShared] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const save = (): void => {
    const given = name.trim()
    if (given === "") return setProblem(text.needsName)
    const query = parseAddress(navigation.address.peek()).query.toString()
    createView(api, { name: given, page, query, shared }).then(
      () => {
        toasts.show(text.saved(visibleText(given)))
        onSaved()
        onClose()
      },
      (error: Error) => setProblem(error.message),
    )
  }
  return (
    <Dialog title={text.saveTitle} closeName={text.close} onClose={onClose}>
      <form
        class={style["form"]}
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <p>{text.saveText}</p>
        <TextField
          label={text.name}
          value={name}
          onValue={setName}
          maxLength={nameLengthMax}
          error={problem}
        />
        {mayWrite(session.user) && (
          <CheckField label={text.share} checked={shared} onValue={setShared} />
        )}
        <DialogActions>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button kind="main" type="submit">
            {text.saveNow}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
