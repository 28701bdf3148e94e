/** The state of the page of alerts in its URL: state, levels, search, order. */

import { useMemo } from "preact/hooks"
import { incidentStates, type IncidentFilter, type IncidentState } from "../../api/incidents.ts"
import { alarmLevels, type AlarmLevel } from "../../api/severity.ts"
import { usePageState } from "../../frame/page-state.ts"
import { textParameter, wordParameter, type Definition } from "../../url/parameters.ts"
import { wordsParameter } from "../../url/words-parameter.ts"

/** As many as the server takes. */
export const alertSearchMax = 512

export const alertsParameters = {
  state: wordParameter(incidentStates, "open"),
  level: wordsParameter(alarmLevels),
  q: textParameter("", alertSearchMax),
  order: wordParameter(["asc", "desc"], "desc"),
} satisfies Definition

export interface AlertsState {
  readonly filter: IncidentFilter
  readonly isNewestFirst: boolean
  setState(state: IncidentState): void
  setLevels(levels: readonly AlarmLevel[]): void
  search(text: string): void
  /** Search and levels as they are at first. */
  clear(): void
  turnOrder(): void
}

export function useAlertsState(): AlertsState {
  const { values, set } = usePageState(alertsParameters)
  const { state, level, q, order } = values
  return useMemo(
    () => ({
      filter: { state, levels: level, text: q },
      isNewestFirst: order === "desc",
      setState: (next) => set({ state: next }),
      setLevels: (next) => set({ level: alarmLevels.filter((one) => next.includes(one)) }),
      search: (next) => set({ q: next }, "typed"),
      clear: () => set({ q: "", level: [] }),
      turnOrder: () => set({ order: order === "desc" ? "asc" : "desc" }),
    }),
    [state, level.join(), q, order, set],
  )
}
