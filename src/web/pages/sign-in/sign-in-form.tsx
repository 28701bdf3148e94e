/** The form that signs in: on its page, and in the dialog over a page whose session has ended. */

import { useState } from "preact/hooks"
import { ApiError } from "../../api/client.ts"
import { useApp } from "../../frame/app.ts"
import { Button } from "../../parts/button.tsx"
import { CheckField, TextField } from "../../parts/field.tsx"
import { formText as text } from "./form-text.ts"
import style from "./sign-in.module.css"

export interface SignInFormProps {
  /** Fixed when a session is renewed: another user would not see what was typed. */
  readonly email?: string
  readonly onDone: () => void
}

export function SignInForm({ email: fixedEmail, onDone }: SignInFormProps) {
  const { session } = useApp()
  const [email, setEmail] = useState(fixedEmail ?? "")
  const [password, setPassword] = useState("")
  const [remember, setRemember] = useState(false)
  const [problems, setProblems] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    setBusy(true)
    try {
      await session.signIn({ email, password, remember })
      onDone()
    } catch (error) {
      setProblems(problemsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      class={style["form"]}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void submit()
      }}
    >
      <div role="alert" class={style["problems"]}>
        {problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </div>
      <TextField
        label={text.email}
        type="email"
        name="username"
        autocomplete="username"
        required
        readOnly={fixedEmail !== undefined}
        value={email}
        onValue={setEmail}
      />
      <TextField
        label={text.password}
        type="password"
        name="password"
        autocomplete="current-password"
        required
        value={password}
        onValue={setPassword}
      />
      <CheckField label={text.remember} checked={remember} onValue={setRemember} />
      <Button kind="main" type="submit" isBusy={isBusy}>
        {text.submit}
      </Button>
    </form>
  )
}

export function problemsOf(error: unknown): readonly string[] {
  if (!(error instanceof ApiError)) return [error instanceof Error ? error.message : String(error)]
  const { sentences, retrySeconds } = error
  return retrySeconds === null ? sentences : [...sentences, text.throttled(retrySeconds)]
}
