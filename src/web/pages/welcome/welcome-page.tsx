/**
 * First steps: the page of an account without data, and later of more data. Left what to paste,
 * right what arrives, as it arrives.
 */

import { useState } from "preact/hooks"
import { countElements, firstStepsStatus } from "../../api/first-steps.ts"
import { useApp } from "../../frame/app.ts"
import { useReloadOn } from "../../frame/live/use-live.ts"
import { PageHeading } from "../../frame/page-heading.tsx"
import { useLoaded } from "../../frame/use-loaded.ts"
import { LinkButton } from "../../parts/button.tsx"
import { LoadFailed, Skeleton } from "../../parts/states.tsx"
import { keep, readKept } from "../../platform/storage.ts"
import { every } from "../../platform/timers.ts"
import { useEffect } from "preact/hooks"
import { AccountSection } from "./account-section.tsx"
import { ArrivalsSection } from "./arrivals-section.tsx"
import { SendSection } from "./send-section.tsx"
import { text } from "./text.ts"
import { useArrivals } from "./use-arrivals.ts"
import style from "./welcome.module.css"

/** Refused requests are not in the stream. */
const statusMs = 5_000
/** The name that the first start gives; a person who has one keeps it on the page of the profile. */
const madeUpEmail = "admin@tidegauge.local"
const skippedName = "welcome.account"

export default function WelcomePage() {
  const { api, session } = useApp()
  const status = useLoaded("status", (signal) => firstStepsStatus(api, signal))
  const elements = useLoaded("elements", (signal) => countElements(api, signal))
  const arrivals = useArrivals()
  const [isSkipped, setSkipped] = useState(readKept(skippedName) === "done")
  useReloadOn(["ingest"], elements.reload)
  useEffect(() => every(statusMs, status.reload), [])
  const { user } = session
  if (user === null) return null
  const [role] = user.roles
  const count = elements.value ?? 0
  const hasAccount = role === "Administrator" && user.email === madeUpEmail && !isSkipped
  const skip = (): void => {
    keep(skippedName, "done")
    setSkipped(true)
  }
  const { value, error, reload } = status
  return (
    <div class={style["page"]}>
      <PageHeading text={count === 0 ? text.title : text.titleLater} />
      {value === null && (
        <>
          <LoadFailed
            error={error}
            title={text.loadFailed}
            retryText={text.retry}
            onRetry={reload}
          />
          {error === null && <Skeleton text={text.loading} />}
        </>
      )}
      {value !== null && (
        <div class={style["columns"]}>
          <div class={style["left"]}>
            {hasAccount && <AccountSection user={user} onDone={skip} />}
            {role === "Read Only" ? (
              <ReadOnly />
            ) : (
              <SendSection
                title={text.send(hasAccount)}
                protocols={value.protocols}
                baseUrl={value.baseUrl}
                mayMakeKeys={role === "Administrator"}
              />
            )}
          </div>
          <ArrivalsSection status={value} arrivals={arrivals} elements={count} />
        </div>
      )}
    </div>
  )
}

function ReadOnly() {
  return (
    <section class={style["section"]}>
      <p>{text.readOnly}</p>
      <p>{text.readOnlyWhat}</p>
      <div class={style["buttons"]}>
        <LinkButton href="./">{text.home}</LinkButton>
        <LinkButton href="inventory">{text.inventory}</LinkButton>
        <LinkButton href="explore">{text.explore}</LinkButton>
      </div>
    </section>
  )
}
