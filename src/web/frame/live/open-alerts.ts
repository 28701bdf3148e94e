/** Numbers of open alerts by level, for the navigation, the title and the icon of the tab. */

import { signal, type ReadonlySignal } from "@preact/signals"
import type { AlarmLevel } from "../../api/severity.ts"
import { setTabIcon } from "../../platform/page.ts"

export interface OpenAlertCount {
  readonly total: number
  /** Of the worst one. */
  readonly level: AlarmLevel
}

export class OpenAlerts {
  private readonly current = signal<OpenAlertCount | null>(null)

  /** Null if none is open, or it is not known yet. */
  get count(): ReadonlySignal<OpenAlertCount | null> {
    return this.current
  }

  set(count: OpenAlertCount | null): void {
    this.current.value = count
    setTabIcon(iconOf(count?.level ?? null))
  }
}

/** Symbols of the levels differ in shape, too. */
const shapes: Readonly<Record<AlarmLevel | "none", string>> = {
  none: "<circle cx='8' cy='8' r='6' fill='none' stroke='#3f74c9' stroke-width='3'/>",
  critical: "<path d='M5 1h6l4 4v6l-4 4H5l-4-4V5z' fill='#d22'/>",
  warning: "<path d='M8 1l7 14H1z' fill='#f0a800'/>",
  info: "<path d='M8 1l7 7-7 7-7-7z' fill='#3f74c9'/>",
}

function iconOf(level: AlarmLevel | null): string {
  const head = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>"
  return `data:image/svg+xml,${encodeURIComponent(`${head}${shapes[level ?? "none"]}</svg>`)}`
}
