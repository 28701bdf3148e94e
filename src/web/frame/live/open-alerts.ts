/** Numbers of open alerts by level, for the navigation and the title. */

import { signal, type ReadonlySignal } from "@preact/signals"
import type { AlarmLevel } from "../../api/severity.ts"

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
  }
}
