/** Tells when a session is about to end: the server extends none beyond its last moment. */

import { useEffect, useState } from "preact/hooks"
import { after } from "../../platform/timers.ts"
import { useApp } from "../app.ts"

/** Enough to sign in, and to save what was begun. */
const nearMsMax = 5 * 60_000
/** A short session is near its end for a tenth of it. */
const nearShare = 0.1
/** Between two looks: a timer of days is lost when a machine sleeps. */
const lookMs = 15_000

/** The end of the session by the server's clock if it is near, else null. */
export function useSessionEnd(): number | null {
  const { session, clock } = useApp()
  const login = session.login.value
  const isSignedIn = session.state.value.kind === "signed-in"
  const endsMs = isSignedIn && login !== null ? login.expires : null
  const [nearMs, setNearMs] = useState<number | null>(null)
  useEffect(() => {
    setNearMs(null)
    if (endsMs === null) return undefined
    const fromMs = endsMs - Math.min(nearMsMax, nearShare * (endsMs - login!.created))
    const abort = new AbortController()
    let cancel = (): void => {}
    const look = (): void => {
      if (clock.nowMs() < fromMs) return void (cancel = after(lookMs, look))
      // Without an answer the page says what it knows.
      const asked = session.readLogin(abort.signal).catch(() => {})
      void asked.then(() => {
        const isSame = !abort.signal.aborted && session.login.peek()?.expires === endsMs
        if (isSame) setNearMs(endsMs)
      })
    }
    look()
    return () => {
      abort.abort()
      cancel()
    }
  }, [endsMs])
  return nearMs
}
