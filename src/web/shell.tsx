/** The shell: shows the page of the address inside the frame, or the sign-in page. */

import type { FunctionComponent } from "preact"
import { useEffect, useErrorBoundary, useRef, useState } from "preact/hooks"
import { clockText } from "./format/times.ts"
import { Button, LinkButton } from "./parts/button.tsx"
import { Dialog } from "./parts/dialog.tsx"
import { Empty, Problem } from "./parts/states.tsx"
import { ToastList } from "./parts/toasts.tsx"
import { findPage, type FoundPage, type PageProps } from "./pages/page-table.ts"
import { SignInForm } from "./pages/sign-in/sign-in-form.tsx"
import { reload } from "./platform/location.ts"
import { parseAddress } from "./url/address.ts"
import { useApp } from "./frame/app.ts"
import { useSessionEnd } from "./frame/session/use-session-end.ts"
import { FailedPage } from "./frame/code/failed-page.tsx"
import { Frame } from "./frame/frame.tsx"
import { PageHeading } from "./frame/page-heading.tsx"
import { KeysOpener } from "./frame/keys/keys-opener.tsx"
import { text } from "./frame/text.ts"

export function Shell() {
  const { navigation, session, toasts } = useApp()
  const address = navigation.address.value
  const { segments } = parseAddress(address)
  const found = findPage(segments)
  const { kind } = session.state.value
  const isRedirected = kind === "signed-out" && found?.page.isPublic !== true
  useEffect(() => {
    if (isRedirected) navigation.replace(`sign-in?${new URLSearchParams({ next: address })}`)
  }, [isRedirected])
  if (kind === "unknown" || isRedirected) return null
  return (
    <>
      {found?.page.isPublic === true ? (
        <main id="page">
          <Page found={found} />
        </main>
      ) : (
        <Frame page={found?.page.name ?? ""} hasRange={found?.page.hasRange === true}>
          {found === null ? <NotFound path={segments.join("/")} /> : <Page found={found} />}
        </Frame>
      )}
      <ExpiredDialog />
      <EndingDialog />
      <KeysOpener />
      <ToastList toasts={toasts} closeName={text.close} />
    </>
  )
}

type Loading =
  | { readonly kind: "loading" }
  | { readonly kind: "failed" }
  | { readonly kind: "ready"; readonly component: FunctionComponent<PageProps> }

/** The page that was loaded last stays until the next one is there. */
function Page({ found: { page, params } }: { readonly found: FoundPage }) {
  const [loaded, setLoaded] = useState<Loading>({ kind: "loading" })
  const [shown, setShown] = useState({ page, params })
  const [error, resetError] = useErrorBoundary()
  const hasShown = useRef(false)
  useEffect(() => {
    let isCurrent = true
    const show = (next: Loading): void => {
      resetError()
      setLoaded(next)
    }
    page.load().then(
      (module) => {
        if (!isCurrent) return
        hasShown.current = true
        setShown({ page, params })
        show({ kind: "ready", component: module.default })
      },
      () => isCurrent && show({ kind: "failed" }),
    )
    return () => {
      isCurrent = false
    }
  }, [page])
  if (error !== undefined) {
    const sentences = error instanceof Error ? [error.message] : []
    return (
      <Problem
        title={text.showFailed}
        sentences={sentences}
        retryText={text.retry}
        onRetry={resetError}
      />
    )
  }
  if (loaded.kind === "failed") return <FailedPage key={page.name} hasShown={hasShown.current} />
  if (loaded.kind === "loading") return null
  const Component = loaded.component
  // The address of the next page is there before its module: the shown one keeps its own parts.
  return <Component params={shown.page === page ? params : shown.params} key={shown.page.name} />
}

function NotFound({ path }: { readonly path: string }) {
  return (
    <>
      <PageHeading text={text.notFoundTitle} />
      <Empty reason={text.notFound(path)}>
        <LinkButton href="./">{text.toHome}</LinkButton>
      </Empty>
    </>
  )
}

/** Over the page, which goes on behind it when the same user signs in. */
function ExpiredDialog() {
  const { session } = useApp()
  const state = session.state.value
  if (state.kind !== "expired") return null
  return (
    <Dialog title={text.expiredTitle} closeName={text.close}>
      <p>{text.expired}</p>
      <SignInForm email={state.user.email} onDone={() => {}} />
      <Button kind="quiet" onClick={() => void session.signOut().finally(reload)}>
        {text.signOut}
      </Button>
    </Dialog>
  )
}

/** Before the session ends: signing in begins another one, and the page goes on. */
function EndingDialog() {
  const { session, preferences } = useApp()
  const endsMs = useSessionEnd()
  const [dismissed, setDismissed] = useState<number | null>(null)
  const { user } = session
  if (endsMs === null || endsMs === dismissed || user === null) return null
  return (
    <Dialog title={text.endingTitle} closeName={text.close} onClose={() => setDismissed(endsMs)}>
      <p>{text.ending(clockText(endsMs, preferences.timeStyle.value))}</p>
      <SignInForm email={user.email} onDone={() => {}} />
    </Dialog>
  )
}
