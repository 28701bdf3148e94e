/**
 * The open alerts that Home lists, by policy: those of the elements that pass its filter. Calls of
 * incidents take no such filter: the newest ones are compared with the elements, whose status has
 * all the numbers.
 */

import type { IncidentGroup, ListedIncident } from "../../api/incident/listed.ts"
import type { StatusMap } from "../../api/overview/overview-answer.ts"
import { alarmLevels, worstLevel } from "../../api/severity.ts"
import { groupBy } from "../../platform/group-by.ts"

/** Policies of the list. */
export const listedMax = 12
/** Some 100 kB. Of older ones the number alone is known. */
export const comparedMax = 200

export interface ShownAlerts {
  readonly groups: readonly IncidentGroup[]
  readonly total: number
  /** Of all elements, although the page has a filter. */
  readonly isOfAll: boolean
}

/** Incidents of all elements: by policy if the page has no filter, else the newest ones. */
export type FoundAlerts =
  | { readonly groups: readonly IncidentGroup[]; readonly total: number }
  | { readonly incidents: readonly ListedIncident[]; readonly total: number }

/** Null before both answers are there. If more elements pass than the status names, all are shown. */
export function shownAlerts(
  found: FoundAlerts | null,
  status: Pick<StatusMap, "columns"> | null,
): ShownAlerts | null {
  if (found === null) return null
  if ("groups" in found) return { ...found, isOfAll: false }
  if (status === null) return null
  const { incidents, total } = found
  if (status.columns === null) return { groups: byPolicy(incidents), total, isOfAll: true }
  const { fqn, openIncidents } = status.columns
  const names = new Set(fqn)
  const passing = incidents.filter(({ elementFqn }) => names.has(elementFqn))
  const counted = openIncidents.reduce((sum, count) => sum + count, 0)
  // One that was opened in between is in the list alone.
  return { groups: byPolicy(passing), total: Math.max(counted, passing.length), isOfAll: false }
}

/** Groups as the server makes them: those of the highest level first, then the newest. */
function byPolicy(incidents: readonly ListedIncident[]): IncidentGroup[] {
  const members = groupBy(incidents, ({ policyId }) => policyId)
  const groups = Array.from(members, ([id, own]): IncidentGroup => {
    return {
      id,
      level: worstLevel(own.map(({ level }) => level)),
      count: own.length,
      acked: own.filter(({ acked }) => acked).length,
      open: own.length,
      tsFirstFired: own.reduce((least, { tsFirstFired: ms }) => Math.min(least, ms), Infinity),
      incidents: own.slice(0, 1),
    }
  })
  const rank = ({ level }: IncidentGroup): number => alarmLevels.indexOf(level)
  return groups.toSorted((one, other) => rank(one) - rank(other)).slice(0, listedMax)
}
