/** The columns of the table of alerts. */

import type { ReadonlySignal } from "@preact/signals"
import { durationText, shortTimeText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import type { RowColumn } from "../../frame/rows/row-column.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { closedText } from "../../parts/level-words.ts"
import { elementAddress } from "../../url/element-address.ts"
import { incidentAddress } from "../../url/incident-address.ts"
import type { MetricCells } from "../inventory/metric-cells.ts"
import type { AlertGrouping, AlertLine, AlertRow, GroupedBy, GroupLine } from "./alert-row.ts"
import style from "./alerts.module.css"
import { GroupChipsCell, GroupNameCell, nameOfAlert, nameOfGroup } from "./group-cells.tsx"
import { text } from "./text.ts"
import { ValueCell, valueMetric } from "./value-cell.tsx"

type CellProps = { readonly row: AlertRow }
type AlertCellProps = { readonly row: AlertLine }

/** The name of a row, for its checkbox. */
export function nameOfRow(row: AlertRow): string {
  if (row.kind === "group") return text.allOf(row.group.count, nameOfGroup(row))
  const { incident } = row
  return text.of(nameOfAlert(incident, "policy"), nameOfAlert(incident, "element"))
}

/** A group shows its level once: an alert of the group shows its own only if that differs. */
function LevelCell({ row }: CellProps) {
  const { level } = row.kind === "group" ? row.group : row.incident
  const word = text.levels[level]
  if (row.kind === "alert" && row.group?.level === level) {
    return <span class="visually-hidden">{word}</span>
  }
  return <LevelMark level={level} word={word} />
}

function PolicyLink({ row: { incident } }: AlertCellProps) {
  const policy = nameOfAlert(incident, "policy")
  return (
    <a
      class={style["policy"]}
      href={incidentAddress(incident.incidentId)}
      title={policy}
      dir="auto"
    >
      {policy}
    </a>
  )
}

/** Of an alert below its policy the element leads to the incident: no other link of it does. */
function ElementLink({ row: { incident, group }, by }: AlertCellProps & ByProps) {
  const name = nameOfAlert(incident, "element")
  const isBelow = group !== null && by === "policy"
  const address = isBelow
    ? incidentAddress(incident.incidentId)
    : `${elementAddress(incident.elementFqn)}?tab=alerts`
  return (
    <a href={address} title={name} dir="auto">
      {name}
    </a>
  )
}

interface ByProps {
  readonly by: AlertGrouping
}

/** An alert below its group does not repeat the name of the group. */
function isNamedAbove(row: AlertRow, of: GroupedBy, by: AlertGrouping): boolean {
  return row.kind === "alert" && row.group !== null && of === by
}

/** Policy or element: the name of a group, its chips, or the link of an alert. */
function NameCell({ row, of, by }: CellProps & ByProps & { readonly of: GroupedBy }) {
  if (row.kind === "group") {
    return of === by ? <GroupNameCell row={row} /> : <GroupChipsCell row={row} />
  }
  if (isNamedAbove(row, of, by)) return null
  return of === "policy" ? <PolicyLink row={row} /> : <ElementLink row={row} by={by} />
}

function StateCell({ row }: CellProps) {
  return (
    <span class={style["state"]}>
      {row.kind === "group" ? <GroupState row={row} /> : <AlertState row={row} />}
      {row.mutedUntilMs !== null && <Muted untilMs={row.mutedUntilMs} />}
    </span>
  )
}

function GroupState({ row }: { readonly row: GroupLine }) {
  const word = groupState(row)
  return <span title={word}>{word}</span>
}

function groupState({ group: { count, open, acked } }: GroupLine): string {
  if (open === 0) return text.closed
  if (acked === 0) return open === count ? text.open : text.openOf(open, count)
  return acked === count ? text.acked : text.ackedOf(acked, count)
}

function AlertState({ row: { incident } }: AlertCellProps) {
  const { tsClosed, closeReason, acked, ackedBy, note } = incident
  if (tsClosed !== null) {
    const word = closedText(closeReason)
    return (
      <span class="secondary" title={word}>
        {word}
      </span>
    )
  }
  if (!acked) return <>{text.open}</>
  return <span title={visibleText(text.ackedBy(ackedBy ?? "", note ?? ""))}>{text.acked}</span>
}

function Muted({ untilMs }: { readonly untilMs: number }) {
  const { clock, preferences } = useApp()
  const until = shortTimeText(untilMs, clock.nowMs(), preferences.timeStyle.value)
  return <span class="secondary">{text.mutedUntil(until)}</span>
}

/** Of a group the time of its oldest alert. */
function SinceCell({ row }: CellProps) {
  const { clock, preferences } = useApp()
  const { tsFirstFired } = row.kind === "group" ? row.group : row.incident
  const times = preferences.timeStyle.value
  return (
    <span title={timeText(tsFirstFired, times, true)}>
      {shortTimeText(tsFirstFired, clock.nowMs(), times)}
    </span>
  )
}

function DurationCell({ row }: CellProps) {
  const { clock } = useApp()
  if (row.kind === "group") {
    const { open, tsFirstFired } = row.group
    return open === 0 ? null : <>{durationText(clock.nowMs() - tsFirstFired)}</>
  }
  const { tsFirstFired, tsClosed } = row.incident
  return <>{durationText((tsClosed ?? clock.nowMs()) - tsFirstFired)}</>
}

/** The grouped name comes first. */
export function alertColumns(
  by: AlertGrouping,
  cells: ReadonlySignal<MetricCells>,
): readonly RowColumn<AlertRow>[] {
  const first = by === "element" ? "element" : "policy"
  const named = (of: GroupedBy): RowColumn<AlertRow> => ({
    id: of,
    title: of === "policy" ? text.policy : text.element,
    className: style[of === first ? "nameColumn" : "otherColumn"],
    cell: ({ row }) => <NameCell row={row} of={of} by={by} />,
    isEmpty: (row) => isNamedAbove(row, of, by),
  })
  const names = first === "element" ? ["element", "policy"] : ["policy", "element"]
  return [
    { id: "level", title: text.level, className: style["levelColumn"], cell: LevelCell },
    ...(names as GroupedBy[]).map(named),
    {
      id: "value",
      title: text.value,
      className: style["valueColumn"],
      cell: ({ row }) => <ValueCell row={row} cells={cells} />,
      isEmpty: (row) => valueMetric(row) === undefined,
    },
    { id: "state", title: text.progress, className: style["stateColumn"], cell: StateCell },
    { id: "since", title: text.since, className: style["sinceColumn"], cell: SinceCell },
    {
      id: "duration",
      title: text.duration,
      className: style["durationColumn"],
      cell: DurationCell,
      isNextToName: true,
      isEmpty: (row) => row.kind === "group" && row.group.open === 0,
    },
  ]
}
