/** The first step: e-mail and password of one's own in place of those that the first start made. */

import { useState } from "preact/hooks"
import { renameUser } from "../../api/first-steps.ts"
import type { User } from "../../api/users.ts"
import { useApp } from "../../frame/app.ts"
import { Button } from "../../parts/button.tsx"
import { TextField } from "../../parts/field.tsx"
import { problemsOf } from "../sign-in/sign-in-form.tsx"
import { text } from "./text.ts"
import style from "./welcome.module.css"

interface AccountSectionProps {
  readonly user: User
  /** Saved or skipped. */
  readonly onDone: () => void
}

export function AccountSection({ user, onDone }: AccountSectionProps) {
  const { api, session, toasts } = useApp()
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      await renameUser(api, user.id, { email, password })
      // The session of the former password has ended.
      await session.signIn({ email, password, remember: false })
      toasts.show(text.accountSaved)
      onDone()
    } catch (error) {
      setProblem(problemsOf(error).join(" "))
      setBusy(false)
    }
  }
  return (
    <section class={style["section"]}>
      <h2>{text.account}</h2>
      <p class="secondary">{text.accountWhy}</p>
      <form
        class={style["fields"]}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void save()
        }}
      >
        <TextField
          label={text.email}
          type="email"
          name="username"
          autocomplete="username"
          placeholder={user.email}
          required
          value={email}
          onValue={setEmail}
        />
        <TextField
          label={text.password}
          hint={text.passwordHint}
          error={problem}
          type="password"
          name="password"
          autocomplete="new-password"
          minLength={12}
          required
          value={password}
          onValue={setPassword}
        />
        <div class={style["buttons"]}>
          <Button kind="main" type="submit" isBusy={isBusy}>
            {text.saveAccount}
          </Button>
          <Button kind="quiet" onClick={onDone}>
            {text.skip}
          </Button>
        </div>
      </form>
    </section>
  )
}
