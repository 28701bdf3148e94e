/** Counts the open alerts and shows their worst level as the icon of the tab. */

import type { ApiClient } from "../../api/client.ts"
import { countIncidents } from "../../api/incidents.ts"
import type { AlarmLevel } from "../../api/severity.ts"
import { setTabIcon } from "../../platform/page.ts"
import { tabIcon } from "./tab-icon.ts"

export interface OpenAlertCount {
  readonly total: number
  /** Of the worst one. */
  readonly level: AlarmLevel
}

const open = { state: "open", levels: [], text: "" } as const

/** Null if none is open. */
export async function countOpen(
  api: ApiClient,
  signal: AbortSignal,
): Promise<OpenAlertCount | null> {
  const { critical, warning, info } = await countIncidents(api, open, signal)
  const total = critical + warning + info
  const level = critical > 0 ? "critical" : warning > 0 ? "warning" : "info"
  const icon = tabIcon(total === 0 ? null : level)
  setTabIcon(`data:image/svg+xml,${encodeURIComponent(icon)}`)
  return total === 0 ? null : { total, level }
}
