/** All views of a page: opened, and those that the user may change renamed and deleted. */

import pencil from "heroicons/20/solid/pencil-square.svg"
import trash from "heroicons/20/solid/trash.svg"
import { useState } from "preact/hooks"
import { changeView, deleteView, type SavedView } from "../../api/views.ts"
import { visibleText } from "../../format/visible-text.ts"
import { Button } from "../../parts/button.tsx"
import { Dialog } from "../../parts/dialog.tsx"
import { TextField } from "../../parts/field.tsx"
import { LoadFailed, Skeleton } from "../../parts/states.tsx"
import { useApp } from "../app.ts"
import { mayWrite } from "../session/session.ts"
import type { Loaded } from "../loaded.ts"
import { nameLengthMax } from "./save-dialog.tsx"
import { text } from "./text.ts"
import style from "./views.module.css"

interface ManageDialogProps {
  readonly page: string
  readonly views: Loaded<readonly SavedView[]>
  readonly onClose: () => void
}

export function ManageDialog({ page, views, onClose }: ManageDialogProps) {
  const { value, error, reload } = views
  return (
    <Dialog title={text.manageTitle} closeName={text.close} onClose={onClose}>
      <LoadFailed error={error} title={text.loadFailed} retryText={text.retry} onRetry={reload} />
      {value === null && error === null && <Skeleton text={text.loading} rows={3} />}
      {value !== null && value.length === 0 && <p class="secondary">{text.none}</p>}
      <ul class={style["list"]}>
        {(value ?? []).map((view) => (
          <ViewRow key={view.id} {...{ page, view, onClose }} onChanged={reload} />
        ))}
      </ul>
    </Dialog>
  )
}

interface ViewRowProps {
  readonly page: string
  readonly view: SavedView
  readonly onClose: () => void
  readonly onChanged: () => void
}

function ViewRow({ page, view, onClose, onChanged }: ViewRowProps) {
  const { api, session, toasts } = useApp()
  const [isRenaming, setRenaming] = useState(false)
  const { id, name, query, shared, creatorEmail } = view
  const { user } = session
  const isOwn = creatorEmail === user?.email
  const isAdministrator = user?.roles.includes("Administrator") === true
  const mayChange = (isOwn || isAdministrator) && (!shared || mayWrite(user))
  const shown = visibleText(name)
  const whose = isOwn ? (shared ? text.ownShared : text.own) : text.sharedBy(creatorEmail)
  const remove = (): void => {
    deleteView(api, id).then(
      () => {
        toasts.show(text.deleted(shown))
        onChanged()
      },
      (error: Error) => toasts.show(error.message, "error"),
    )
  }
  return (
    <li>
      <span class={style["what"]}>
        <a href={query === "" ? page : `${page}?${query}`} dir="auto" onClick={onClose}>
          {shown}
        </a>{" "}
        <span class="secondary">{whose}</span>
      </span>
      {mayChange && !isRenaming && (
        <span class={style["commands"]}>
          <Button
            kind="quiet"
            icon={pencil}
            iconName={text.rename(shown)}
            onClick={() => setRenaming(true)}
          />
          <Button kind="quiet" icon={trash} iconName={text.delete(shown)} onClick={remove} />
        </span>
      )}
      {isRenaming && (
        <RenameForm view={view} onEnd={() => setRenaming(false)} onChanged={onChanged} />
      )}
    </li>
  )
}

interface RenameFormProps {
  readonly view: SavedView
  readonly onEnd: () => void
  readonly onChanged: () => void
}

function RenameForm({ view: { id, name }, onEnd, onChanged }: RenameFormProps) {
  const { api } = useApp()
  const [typed, setTyped] = useState(name)
  const [problem, setProblem] = useState<string | null>(null)
  const rename = (): void => {
    const given = typed.trim()
    if (given === "") return setProblem(text.needsName)
    changeView(api, id, { name: given }).then(
      () => {
        onEnd()
        onChanged()
      },
      (error: Error) => setProblem(error.message),
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        rename()
      }}
    >
      <TextField
        label={text.newName(visibleText(name))}
        value={typed}
        onValue={setTyped}
        maxLength={nameLengthMax}
        error={problem}
      />
      <Button kind="main" type="submit">
        {text.renameNow}
      </Button>
      <Button onClick={onEnd}>{text.cancel}</Button>
    </form>
  )
}
