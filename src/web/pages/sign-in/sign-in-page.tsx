/** Sign in: by e-mail and password, or by the link that the server printed (`#token`). */

import { useEffect, useState } from "preact/hooks"
import { useApp } from "../../frame/app.ts"
import { PageHeading } from "../../frame/page-heading.tsx"
import { takeFragment, isPlainRemote } from "../../platform/location.ts"
import { parseAddress } from "../../url/address.ts"
import { problemsOf, SignInForm } from "./sign-in-form.tsx"
import style from "./sign-in.module.css"
import { text } from "./text.ts"

export default function SignInPage() {
  const { navigation, session, preferences } = useApp()
  const [isLinkUsed, setLinkUsed] = useState(false)
  const [problems, setProblems] = useState<readonly string[]>([])
  const open = (): void => {
    const next = parseAddress(navigation.address.value).query.get("next")
    navigation.replace(next ?? preferences.choices.value.landingPage)
  }
  useEffect(() => {
    const link = takeFragment()
    if (link === "") return
    setLinkUsed(true)
    session
      .signIn({ link })
      .then(open, (error: unknown) => setProblems(problemsOf(error)))
      .finally(() => setLinkUsed(false))
  }, [])
  return (
    <div class={style["page"]}>
      <div class={style["card"]}>
        <p class={style["product"]}>{text.product}</p>
        <PageHeading text={text.title} />
        {problems.length > 0 && (
          <div role="alert" class={style["problems"]}>
            <p>{text.linkFailed}</p>
            {problems.map((problem) => (
              <p key={problem}>{problem}</p>
            ))}
          </div>
        )}
        {isLinkUsed ? <p role="status">{text.withLink}</p> : <SignInForm onDone={open} />}
        <p class={style["note"]}>{text.startText}</p>
        {isPlainRemote() && <p class={style["note"]}>{text.plainHttp}</p>}
      </div>
    </div>
  )
}
