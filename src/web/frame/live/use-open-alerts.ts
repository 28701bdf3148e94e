/** Counts the open alerts, and again when one opens or closes. */

import { useEffect } from "preact/hooks"
import { lazyCode } from "../../platform/code.ts"
import { useApp } from "../app.ts"
import { useLoaded } from "../use-loaded.ts"
import { useReloadOn } from "./use-live.ts"
import { useRested } from "./use-rested.ts"

/** Loaded apart, so that a first load is no longer for it. */
const loadCount = lazyCode(() => import("./count-alerts.ts"))

/** Keeps the numbers as the stream reports changes. */
export function useOpenAlerts(): void {
  const { api, live, openAlerts } = useApp()
  const isRested = useRested()
  const key = isRested && live.state.value.kind === "connected" ? "open" : null
  const { value, reload } = useLoaded(key, async (signal) => {
    const { countOpen } = await loadCount()
    return countOpen(api, signal)
  })
  useReloadOn(["incident"], reload)
  useEffect(() => {
    openAlerts.value = value
  }, [openAlerts, value])
}
