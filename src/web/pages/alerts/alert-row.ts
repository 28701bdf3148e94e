/** Rows of the table of alerts: a group of alerts, or one alert, alone or of an open group. */

import type { IncidentGroup } from "../../api/incident/listed.ts"
import type { IncidentFilter, ListedIncident } from "../../api/incident/listed.ts"

/** Time: a list of single alerts. */
export const alertGroupings = ["policy", "element", "time"] as const
export type AlertGrouping = (typeof alertGroupings)[number]
export type GroupedBy = Exclude<AlertGrouping, "time">

interface RowFacts {
  /** `group/` or `group/incident`; an alert that is in no open group has an empty group. */
  readonly key: string
  /** When the mute of its policy ends; null without one. */
  readonly mutedUntilMs: number | null
}

export interface AlertLine extends RowFacts {
  readonly kind: "alert"
  readonly incident: ListedIncident
  /** The open group that it belongs to. */
  readonly group: IncidentGroup | null
}

export interface GroupLine extends RowFacts {
  readonly kind: "group"
  readonly by: GroupedBy
  readonly group: IncidentGroup
  readonly isOpen: boolean
  /** The address of a list of all its alerts; null if all of them are below it. */
  readonly listAddress: string | null
  readonly onToggle: () => void
}

export type AlertRow = AlertLine | GroupLine

export function groupKey({ id }: Pick<IncidentGroup, "id">): string {
  return `${id}/`
}

export function alertKey({ incidentId }: ListedIncident, group: IncidentGroup | null): string {
  return `${group?.id ?? ""}/${incidentId}`
}

interface KeySelection {
  has(key: string): boolean
  set(keys: readonly string[], isSelected: boolean): void
}

/** Alerts of a selected group are selected; to leave one out, the others are chosen again. */
export function withGroups<S extends KeySelection>(selection: S): S {
  const groupOf = (key: string): string => key.slice(0, key.indexOf("/") + 1)
  return {
    ...selection,
    has: (key: string) => selection.has(key) || selection.has(groupOf(key)),
    set(keys: readonly string[], isSelected: boolean) {
      selection.set(isSelected ? keys : keys.flatMap((key) => [key, groupOf(key)]), isSelected)
    },
  }
}

/** Alerts to change: some by id, and all that pass filters. */
export interface AlertTarget {
  readonly ids: readonly string[]
  readonly filters: readonly IncidentFilter[]
  readonly count: number
}

/** The alerts of rows; those of an open group whose row is among them count once. */
export function targetOfKeys(
  filter: IncidentFilter,
  keys: ReadonlySet<string>,
  groups: readonly GroupLine[],
): AlertTarget {
  const whole = groups.filter(({ key }) => keys.has(key))
  const alone = [...keys].filter((key) => {
    const [group = "", id = ""] = key.split("/")
    return id !== "" && !keys.has(`${group}/`)
  })
  return {
    ids: alone.map((key) => key.split("/")[1]!),
    filters: whole.map(({ by, group }) => groupFilter(filter, by, group.id)),
    count: whole.reduce((sum, { group }) => sum + group.count, alone.length),
  }
}

export function groupFilter(filter: IncidentFilter, by: GroupedBy, id: string): IncidentFilter {
  return by === "policy" ? { ...filter, policyId: id } : { ...filter, elementId: id }
}
