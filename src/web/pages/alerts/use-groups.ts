/** Rows of grouped alerts: the groups with the newest alerts of each, and those of open groups. */

import { useMemo, useState } from "preact/hooks"
import { incidentGroups, policyMutes, type IncidentGroups } from "../../api/incident/groups.ts"
import { type IncidentGroup } from "../../api/incident/listed.ts"
import { incidentPage } from "../../api/incidents.ts"
import { type IncidentFilter, type ListedIncident } from "../../api/incident/listed.ts"
import { useApp } from "../../frame/app.ts"
import type { Rows } from "../../frame/rows/use-rows.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import {
  alertKey,
  groupFilter,
  groupKey,
  type AlertRow,
  type GroupedBy,
  type GroupLine,
} from "./alert-row.ts"

/** Groups that are shown, as many as the server lists at most. */
const shownGroupsMax = 200
/** Alerts of a group that come with it: more than a row has room for. */
const chipsMax = 8
/** Alerts below an open group; a longer one has a list of its own. */
const openedRowsMax = 100

export interface GroupedAlerts {
  readonly rows: Rows<AlertRow>
  readonly groups: readonly GroupLine[]
  /** Alerts that pass; null before the first answer. */
  readonly total: number | null
  /** Groups that are not shown. */
  readonly hidden: number
}

interface Found extends IncidentGroups {
  /** Alerts of open groups by the id of the group. */
  readonly members: ReadonlyMap<string, readonly ListedIncident[]>
  readonly mutes: Readonly<Record<string, number>>
}

export interface GroupedOf {
  readonly filter: IncidentFilter
  /** Names the list that the filter asks for. */
  readonly listKey: string
  readonly by: GroupedBy
  /** Another number loads again. */
  readonly round: number
  /** The address of a list of all alerts of a group. */
  readonly listAddress: (groupId: string) => string
}

export function useGroups({ filter, listKey, by, round, listAddress }: GroupedOf): GroupedAlerts {
  const { api } = useApp()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const key = JSON.stringify([listKey, by, [...opened], round])
  const load = async (signal: AbortSignal): Promise<Found> => {
    const asked = { by, limit: shownGroupsMax, members: chipsMax }
    const order = { sort: "since", isDescending: true, limit: openedRowsMax, offset: 0 } as const
    const [found, mutes, ...pages] = await Promise.all([
      incidentGroups(api, filter, asked, signal),
      policyMutes(api, signal),
      ...Array.from(opened, async (id) => {
        const page = await incidentPage(api, groupFilter(filter, by, id), order, signal)
        return [id, page.incidents] as const
      }),
    ])
    return { ...found, mutes, members: new Map(pages) }
  }
  const loaded = useLoaded(key, load, JSON.stringify([listKey, by]))
  const { value, error, isLoading, isFormer, cancel } = loaded
  const lines = useMemo(() => {
    const onToggle = (id: string) => () => setOpened((former) => toggled(former, id))
    const rowsOf = (group: IncidentGroup): readonly AlertRow[] =>
      linesOf({ group, found: value!, by, opened, listAddress, onToggle: onToggle(group.id) })
    return value === null ? [] : value.groups.flatMap(rowsOf)
  }, [value, opened, by])
  return {
    rows: {
      total: value === null ? null : lines.length,
      more: undefined,
      isFormer,
      error,
      isLoading,
      cancel,
      row: (index) => lines[index],
      show: () => {},
    },
    groups: lines.filter((line) => line.kind === "group"),
    total: value?.total ?? null,
    hidden: value === null ? 0 : value.groupCount - value.groups.length,
  }
}

function toggled(opened: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(opened)
  if (!next.delete(id)) next.add(id)
  return next
}

interface LinesOf extends Pick<GroupedOf, "by" | "listAddress"> {
  readonly group: IncidentGroup
  readonly found: Found
  readonly opened: ReadonlySet<string>
  readonly onToggle: () => void
}

/** A group of one alert looks like a row. */
function linesOf(of: LinesOf): readonly AlertRow[] {
  const { group, by, found, opened, listAddress, onToggle } = of
  const muteOf = (policyId: string | undefined) => found.mutes[policyId ?? ""] ?? null
  const alert = (incident: ListedIncident, parent: IncidentGroup | null): AlertRow => {
    const key = alertKey(incident, parent)
    return { kind: "alert", key, incident, group: parent, mutedUntilMs: muteOf(incident.policyId) }
  }
  const [newest] = group.incidents
  if (group.count === 1 && newest !== undefined) return [alert(newest, null)]
  const isOpen = opened.has(group.id)
  const members = isOpen ? (found.members.get(group.id) ?? group.incidents) : []
  const line: GroupLine = {
    kind: "group",
    key: groupKey(group),
    by,
    group,
    isOpen,
    listAddress: group.count > openedRowsMax ? listAddress(group.id) : null,
    mutedUntilMs: by === "policy" ? muteOf(group.id) : null,
    onToggle,
  }
  return [line, ...members.map((one) => alert(one, group))]
}
