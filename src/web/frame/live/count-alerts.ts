/** Counts the open alerts and shows their worst level as the icon of the tab. */

import type { ApiClient } from "../../api/client.ts"
import { countIncidents } from "../../api/incidents.ts"
import type { AlarmLevel } from "../../api/severity.ts"
import { setTabIcon } from "../../platform/page.ts"

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
  setTabIcon(iconOf(total === 0 ? "none" : level))
  return total === 0 ? null : { total, level }
}

/** Symbols of the levels differ in shape, too. */
const shapes: Readonly<Record<AlarmLevel | "none", string>> = {
  none: "<circle cx='8' cy='8' r='6' fill='none' stroke='#3f74c9' stroke-width='3'/>",
  critical: "<path d='M5 1h6l4 4v6l-4 4H5l-4-4V5z' fill='#d22'/>",
  warning: "<path d='M8 1l7 14H1z' fill='#f0a800'/>",
  info: "<path d='M8 1l7 7-7 7-7-7z' fill='#3f74c9'/>",
}

function iconOf(level: keyof typeof shapes): string {
  const head = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>"
  return `data:image/svg+xml,${encodeURIComponent(`${head}${shapes[level]}</svg>`)}`
}
