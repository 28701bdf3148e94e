/** Tells when a page has its first data: what no page waits for is loaded after them. */

import { effect } from "@preact/signals"
import { useEffect, useState } from "preact/hooks"
import { after } from "../../platform/timers.ts"
import { useApp } from "../app.ts"

/** In which a page draws an answer, or asks for more because of it. */
const restMs = 500
/** A call that takes longer is waited for no more. */
const callMsMax = 3_000

/** False until the stream is connected and no call has waited for its answer for a moment. */
export function useRested(): boolean {
  const { api, live } = useApp()
  const [isRested, setRested] = useState(false)
  useEffect(() => {
    let cancel = (): void => {}
    const end = effect(() => {
      cancel()
      if (live.state.value.kind !== "connected") return
      const ms = api.waitingCount.value > 0 ? callMsMax : restMs
      cancel = after(ms, () => setRested(true))
    })
    return () => {
      end()
      cancel()
    }
  }, [api, live])
  return isRested
}
