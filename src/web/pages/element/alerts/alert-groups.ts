/** The alerts of an element by policy: the latest of each first, as the page of alerts groups them. */

import type { ElementIncident } from "../../../api/incident/watching.ts"
import { worstLevel, type AlarmLevel } from "../../../api/severity.ts"
import { groupBy } from "../../../platform/group-by.ts"

export interface PolicyAlerts {
  readonly policyId: string
  readonly level: AlarmLevel
  /** The newest first; never empty. */
  readonly incidents: readonly [ElementIncident, ...ElementIncident[]]
  readonly open: number
}

/** `incidents`: the newest first. Policies with an open alert come first. */
export function alertsByPolicy(incidents: readonly ElementIncident[]): readonly PolicyAlerts[] {
  const byPolicy = groupBy(incidents, ({ policyId }) => policyId)
  const groups = Array.from(byPolicy, ([policyId, own]): PolicyAlerts => {
    const open = own.filter(({ tsClosed }) => tsClosed === null)
    const level = worstLevel((open.length > 0 ? open : own).map((one) => one.level))
    return { policyId, level, incidents: own, open: open.length }
  })
  return groups.toSorted((one, other) => Number(other.open > 0) - Number(one.open > 0))
}
