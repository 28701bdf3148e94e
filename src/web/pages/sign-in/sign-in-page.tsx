/** Sign in: by e-mail and password, or by the link that the server printed (`#token`). */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { ApiError } from "../../api/client.ts"
import { useApp } from "../../frame/app.ts"
import { PageHeading } from "../../frame/page-heading.tsx"
import { Product } from "../../frame/product/product.tsx"
import { focusFirst } from "../../platform/focus.ts"
import { isPlainRemote, onFragment, takeFragment } from "../../platform/location.ts"
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
  const signIn = (): void => {
    const link = takeFragment()
    if (link === "") return
    setLinkUsed(true)
    setProblems([])
    session
      .signIn({ link })
      .then(open, (error: unknown) => setProblems(linkProblemsOf(error)))
      .finally(() => setLinkUsed(false))
  }
  useEffect(() => {
    signIn()
    return onFragment(signIn)
  }, [])
  const card = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => void focusFirst(card.current!), [isLinkUsed])
  return (
    <div class={style["page"]}>
      <div ref={card} class={style["card"]}>
        <p class={style["product"]}>
          <Product />
        </p>
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

/** A refused link was used or is outdated: the page says how to make another. */
function linkProblemsOf(error: unknown): readonly string[] {
  const isRefused = error instanceof ApiError && error.status === 401
  return isRefused ? [text.linkRefused] : problemsOf(error)
}
