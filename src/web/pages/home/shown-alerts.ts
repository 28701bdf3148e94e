/**
 * The open alerts that Home lists: of the elements that pass its filter. Calls of incidents take no
 * such filter: the newest ones are compared with the elements, whose status has all the numbers.
 */

import type { OpenIncidents, StatusMap } from "../../api/overview/overview-answer.ts"

const listedMax = 12
/** Some 100 kB. Of older ones the number alone is known. */
const comparedMax = 200

export interface ShownAlerts extends OpenIncidents {
  /** Of all elements, although the page has a filter. */
  readonly isOfAll: boolean
}

/** How many of the newest alerts to ask for. */
export function alertsToAsk(isFiltered: boolean): number {
  return isFiltered ? comparedMax : listedMax
}

/** Null before both answers are there. If more elements pass than the status names, all are shown. */
export function shownAlerts(
  found: OpenIncidents | null,
  status: Pick<StatusMap, "columns"> | null,
  isFiltered: boolean,
): ShownAlerts | null {
  if (found === null || (isFiltered && status === null)) return null
  const { incidents, total } = found
  const columns = isFiltered ? status!.columns : null
  if (columns === null) {
    return { incidents: incidents.slice(0, listedMax), total, isOfAll: isFiltered }
  }
  const names = new Set(columns.fqn)
  const passing = incidents.filter(({ elementFqn }) => names.has(elementFqn))
  const counted = columns.openIncidents.reduce((sum, count) => sum + count, 0)
  return {
    incidents: passing.slice(0, listedMax),
    // One that was opened in between is in the list alone.
    total: Math.max(counted, passing.length),
    isOfAll: false,
  }
}
