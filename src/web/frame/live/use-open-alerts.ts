/** Counts the open alerts, and again when one opens or closes. */

import { useEffect } from "preact/hooks"
import type { ApiClient } from "../../api/client.ts"
import { useApp } from "../app.ts"
import { useLoaded } from "../use-loaded.ts"
import type { OpenAlertCount } from "./open-alerts.ts"
import { useReloadOn } from "./use-live.ts"

const open = { state: "open", levels: [], text: "" } as const

/** Loaded apart, so that a first load is no longer for it. */
async function countOpen(api: ApiClient, signal: AbortSignal): Promise<OpenAlertCount | null> {
  const { countIncidents } = await import("../../api/incidents.ts")
  const { critical, warning, info } = await countIncidents(api, open, signal)
  const total = critical + warning + info
  if (total === 0) return null
  return { total, level: critical > 0 ? "critical" : warning > 0 ? "warning" : "info" }
}

/** Keeps the numbers as the stream reports changes. */
export function useOpenAlerts(): void {
  const { api, live, openAlerts } = useApp()
  // After the first data of the page, which is waited for.
  const key = live.state.value.kind === "connected" ? "open" : null
  const { value, reload } = useLoaded(key, (signal) => countOpen(api, signal))
  useReloadOn(["incident"], reload)
  useEffect(() => openAlerts.set(value), [openAlerts, value])
}
