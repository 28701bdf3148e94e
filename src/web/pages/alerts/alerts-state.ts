/** The state of the page of alerts in its URL: state, levels, search, grouping, order. */

import { useMemo } from "preact/hooks"
import { type IncidentOrder } from "../../api/incidents.ts"
import {
  incidentStates,
  type IncidentFilter,
  type IncidentState,
} from "../../api/incident/listed.ts"
import { alarmLevels, type AlarmLevel } from "../../api/severity.ts"
import { usePageState } from "../../frame/page-state.ts"
import { textParameter, wordParameter, type Definition } from "../../url/parameters.ts"
import { wordsParameter } from "../../url/words-parameter.ts"
import { alertGroupings, type AlertGrouping, type GroupedBy } from "./alert-row.ts"

/** As many as the server takes. */
export const alertSearchMax = 512
const idLengthMax = 36

/** Columns by which single alerts are sorted. */
export const alertSorts = ["since", "level", "policy", "element", "duration"] as const
export type AlertSort = (typeof alertSorts)[number]
/** They begin with the first name, others with the largest value. */
const nameSorts: readonly AlertSort[] = ["policy", "element"]

export const alertsParameters = {
  state: wordParameter(incidentStates, "open"),
  level: wordsParameter(alarmLevels),
  q: textParameter("", alertSearchMax),
  policy: textParameter("", idLengthMax),
  element: textParameter("", idLengthMax),
  group: wordParameter(alertGroupings, "policy"),
  sort: wordParameter(alertSorts, "since"),
  order: wordParameter(["asc", "desc"], "desc"),
} satisfies Definition

export interface AlertsState {
  readonly filter: IncidentFilter
  readonly grouping: AlertGrouping
  /** Closed alerts are sorted by time alone. */
  readonly sorts: readonly AlertSort[]
  readonly sort: AlertSort
  readonly isDescending: boolean
  setState(state: IncidentState): void
  setLevels(levels: readonly AlarmLevel[]): void
  search(text: string): void
  setGrouping(grouping: AlertGrouping): void
  /** Search, levels and the policy or the element as they are at first. */
  clear(): void
  sortBy(sort: AlertSort): void
  /** The address of the single alerts of a policy or an element. */
  listAddress(by: GroupedBy, id: string): string
}

export function useAlertsState(): AlertsState {
  const { values, set, addressWith } = usePageState(alertsParameters)
  const { state, level, q, policy, element, group, sort: wanted, order } = values
  return useMemo(() => {
    const sorts = state === "closed" || state === "all" ? (["since"] as const) : alertSorts
    const sort = sorts.find((one) => one === wanted) ?? "since"
    const isDescending = order === "desc"
    return {
      filter: {
        state,
        levels: level,
        text: q,
        policyId: policy || undefined,
        elementId: element || undefined,
      },
      grouping: group,
      sorts,
      sort,
      isDescending,
      setState: (next) => set({ state: next }),
      setLevels: (next) => set({ level: alarmLevels.filter((one) => next.includes(one)) }),
      search: (next) => set({ q: next }, "typed"),
      setGrouping: (next) => set({ group: next }),
      clear: () => set({ q: "", level: [], policy: "", element: "" }),
      sortBy(next) {
        const isNext = next === sort ? !isDescending : !nameSorts.includes(next)
        set({ sort: next, order: isNext ? "desc" : "asc" })
      },
      listAddress: (by, id) => addressWith({ group: "time", [by]: id }),
    }
  }, [state, level.join(), q, policy, element, group, wanted, order, set])
}

/** The order that the server is asked for: the longest duration has the earliest time. */
export function serverOrder({
  sort,
  isDescending,
}: Pick<AlertsState, "sort" | "isDescending">): Pick<IncidentOrder, "sort" | "isDescending"> {
  if (sort === "duration") return { sort: "since", isDescending: !isDescending }
  return { sort, isDescending }
}
