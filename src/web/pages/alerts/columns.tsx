/** The columns of the table of alerts. */

import type { ListedIncident } from "../../api/incidents.ts"
import { durationText, shortTimeText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import type { RowColumn } from "../../frame/rows/row-table.tsx"
import { LevelMark } from "../../parts/level-mark.tsx"
import { closedText } from "../../parts/level-words.ts"
import { exploreAddress } from "../element/explore-address.ts"
import { elementAddress } from "../../url/element-address.ts"
import { incidentAddress } from "../../url/incident-address.ts"
import style from "./alerts.module.css"
import { text } from "./text.ts"

type CellProps = { readonly row: ListedIncident }

export function policyOf({ policyName }: ListedIncident): string {
  return visibleText(policyName ?? text.unnamedPolicy)
}

function PolicyCell({ row }: CellProps) {
  const policy = policyOf(row)
  return (
    <a href={incidentAddress(row.incidentId)} title={policy} dir="auto">
      {policy}
    </a>
  )
}

function ElementCell({ row }: CellProps) {
  const name = visibleText(row.elementName)
  return (
    <a href={`${elementAddress(row.elementFqn)}?tab=alerts`} title={name} dir="auto">
      {name}
    </a>
  )
}

function StateCell({ row }: CellProps) {
  if (row.tsClosed !== null) {
    const word = closedText(row.closeReason)
    return (
      <span class="secondary" title={word}>
        {word}
      </span>
    )
  }
  if (!row.acked) return text.open
  const by = visibleText(text.ackedBy(row.ackedBy ?? "", row.note ?? ""))
  return <span title={by}>{text.acked}</span>
}

function SinceCell({ row: { tsFirstFired } }: CellProps) {
  const { clock, preferences } = useApp()
  const times = preferences.timeStyle.value
  return (
    <span title={timeText(tsFirstFired, times, true)}>
      {shortTimeText(tsFirstFired, clock.nowMs(), times)}
    </span>
  )
}

function DurationCell({ row: { tsFirstFired, tsClosed } }: CellProps) {
  const { clock } = useApp()
  return <>{durationText((tsClosed ?? clock.nowMs()) - tsFirstFired)}</>
}

/** The first metric, with a chart of it behind the link, and how many more there are. */
function MetricsCell({ row: { violatingMetricFqns, elementFqn } }: CellProps) {
  const [metric] = violatingMetricFqns
  if (metric === undefined) return <span class="secondary">{text.noValue}</span>
  const all = visibleText(violatingMetricFqns.join(", "))
  return (
    <>
      <a href={exploreAddress({ metric, elementFqn })} title={all} dir="auto">
        {visibleText(metric)}
      </a>
      {violatingMetricFqns.length > 1 && (
        <span class="secondary"> {text.moreMetrics(violatingMetricFqns.length - 1)}</span>
      )}
    </>
  )
}

export const alertColumns: readonly RowColumn<ListedIncident>[] = [
  {
    id: "level",
    title: text.level,
    className: style["levelColumn"],
    cell: ({ row: { level } }) => <LevelMark level={level} word={text.levels[level]} />,
  },
  { id: "policy", title: text.policy, className: style["policyColumn"], cell: PolicyCell },
  { id: "element", title: text.element, className: undefined, cell: ElementCell },
  { id: "state", title: text.progress, className: style["stateColumn"], cell: StateCell },
  { id: "since", title: text.since, className: style["sinceColumn"], cell: SinceCell },
  {
    id: "duration",
    title: text.duration,
    className: style["durationColumn"],
    cell: DurationCell,
  },
  { id: "metrics", title: text.metrics, className: style["metricsColumn"], cell: MetricsCell },
]
