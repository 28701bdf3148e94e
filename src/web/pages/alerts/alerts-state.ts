/** The state of the page of alerts in its URL: range, state, levels, search, grouping, order. */

import { useMemo } from "preact/hooks"
import { type IncidentOrder } from "../../api/incidents.ts"
import {
  incidentStates,
  type IncidentFilter,
  type IncidentState,
} from "../../api/incident/listed.ts"
import { alarmLevels, type AlarmLevel } from "../../api/severity.ts"
import { useApp } from "../../frame/app.ts"
import { usePageState } from "../../frame/page-state.ts"
import { textParameter, wordParameter, type Definition } from "../../url/parameters.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { wordsParameter } from "../../url/words-parameter.ts"
import { alertGroupings, type AlertGrouping, type GroupedBy } from "./alert-row.ts"

/** As many as the server takes. */
export const alertSearchMax = 512
const idLengthMax = 36

/** Columns by which single alerts are sorted. */
export const alertSorts = ["since", "level", "policy", "element", "duration"] as const
export type AlertSort = (typeof alertSorts)[number]
/** Numbers by which elements are the top violators. */
export const violatorSorts = ["count", "minutes"] as const
export type ViolatorSort = (typeof violatorSorts)[number]

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
  top: wordParameter(violatorSorts, "count"),
} satisfies Definition

export interface AlertsState {
  readonly filter: IncidentFilter
  /** Names the list that the filter asks for: a range that moves with the clock is the same one. */
  readonly listKey: string
  /** Likewise, of any level. */
  readonly countsKey: string
  /** The same for any state in the range of the page, which lists of open alerts do not have. */
  readonly overview: IncidentFilter & { readonly range: TimeRange }
  readonly overviewKey: string
  readonly topBy: ViolatorSort
  readonly grouping: AlertGrouping
  /** Closed alerts are sorted by time alone. */
  readonly sorts: readonly AlertSort[]
  readonly sort: AlertSort
  readonly isDescending: boolean
  setState(state: IncidentState): void
  /** Lists all of the range that is shown next. */
  showAll(): void
  setTopBy(sort: ViolatorSort): void
  setLevels(levels: readonly AlarmLevel[]): void
  search(text: string): void
  setGrouping(grouping: AlertGrouping): void
  /** Search, levels and the policy or the element as they are at first. */
  clear(): void
  sortBy(sort: AlertSort): void
  /** The address of the single alerts of a policy or an element. */
  listAddress(by: GroupedBy, id: string): string
  /** The address of all alerts of an element in the range of the page. */
  elementAddress(id: string): string
}

export function useAlertsState(): AlertsState {
  const { values, set, addressWith } = usePageState(alertsParameters)
  const { range, text: rangeText } = useApp().ranges.current.value
  return useMemo(() => {
    const { state, level, q, policy, element, group, sort: wanted, order, top } = values
    const isOfRange = state === "closed" || state === "all"
    const sorts = isOfRange ? (["since"] as const) : alertSorts
    const sort = sorts.find((one) => one === wanted) ?? "since"
    const isDescending = order === "desc"
    const ids = { policyId: policy || undefined, elementId: element || undefined }
    const ofAny = { ...ids, levels: level, text: q }
    const countsKey = JSON.stringify([ids, q, state, isOfRange && rangeText])
    return {
      filter: { ...ofAny, state, range: isOfRange ? range : undefined },
      countsKey,
      listKey: JSON.stringify([countsKey, level]),
      overview: { ...ofAny, state: "all", range },
      overviewKey: JSON.stringify([ofAny, rangeText]),
      topBy: top,
      grouping: group,
      sorts,
      sort,
      isDescending,
      setState: (next) => set({ state: next }),
      showAll: () => set({ state: "all" }, "typed"),
      setTopBy: (next) => set({ top: next }),
      setLevels: (next) => set({ level: alarmLevels.filter((one) => next.includes(one)) }),
      search: (next) => set({ q: next }, "typed"),
      setGrouping: (next) => set({ group: next }),
      clear: () => set({ q: "", level: [], policy: "", element: "" }),
      sortBy(next) {
        const isNext = next === sort ? !isDescending : !nameSorts.includes(next)
        set({ sort: next, order: isNext ? "desc" : "asc" })
      },
      listAddress: (by, id) => addressWith({ group: "time", [by]: id }),
      elementAddress: (id) => addressWith({ state: "all", element: id }),
    }
  }, [values, range, rangeText, set, addressWith])
}

/** The order that the server is asked for: the longest duration has the earliest time. */
export function serverOrder({
  sort,
  isDescending,
}: Pick<AlertsState, "sort" | "isDescending">): Pick<IncidentOrder, "sort" | "isDescending"> {
  if (sort === "duration") return { sort: "since", isDescending: !isDescending }
  return { sort, isDescending }
}
