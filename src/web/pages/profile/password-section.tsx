/** Changes one's own password; all other sessions end with it. */

import { useState } from "preact/hooks"
import { ApiError } from "../../api/client.ts"
import { changePassword } from "../../api/users.ts"
import { useApp } from "../../frame/app.ts"
import { Button } from "../../parts/button.tsx"
import { TextField } from "../../parts/field.tsx"
import style from "./profile.module.css"
import { text } from "./text.ts"

export function PasswordSection() {
  const { api, session, toasts } = useApp()
  const [oldPassword, setOld] = useState("")
  const [newPassword, setNew] = useState("")
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { user } = session
  if (user === null) return null
  const submit = async (): Promise<void> => {
    setBusy(true)
    try {
      await changePassword(api, user.id, { oldPassword, newPassword })
      setOld("")
      setNew("")
      setProblem(null)
      toasts.show(text.passwordChanged)
    } catch (error) {
      setProblem(error instanceof ApiError ? error.sentences.join(" ") : String(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section class={style["section"]}>
      <h2>{text.password}</h2>
      <form
        class={style["fields"]}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <input type="hidden" name="username" autocomplete="username" value={user.email} />
        <TextField
          label={text.oldPassword}
          type="password"
          autocomplete="current-password"
          required
          value={oldPassword}
          onValue={setOld}
        />
        <TextField
          label={text.newPassword}
          hint={text.newPasswordHint}
          error={problem}
          type="password"
          autocomplete="new-password"
          minLength={12}
          required
          value={newPassword}
          onValue={setNew}
        />
        <div class={style["submit"]}>
          <Button type="submit" isBusy={isBusy}>
            {text.changePassword}
          </Button>
        </div>
      </form>
    </section>
  )
}
