/** The columns of the inventory: level and name, then those that are chosen. */

import type { ReadonlySignal } from "@preact/signals"
import { tagText } from "../../api/element-words.ts"
import { RowSpark } from "../../chart/small/row-spark.tsx"
import { fullValueText, valueText } from "../../format/numbers.ts"
import { agoText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import type { RowColumn } from "../../frame/rows/row-column.ts"
import { classNames } from "../../parts/class-names.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { printAddress } from "../../url/address.ts"
import { sharedQuery } from "../../url/shared-parameters.ts"
import { columnText, defaultColumns, type ColumnChoice, type PlainColumn } from "./column-choice.ts"
import { columnTitle } from "./column-dialog.tsx"
import type { ElementRow } from "./element-row.ts"
import style from "./inventory.module.css"
import { cellKey, type MetricCells } from "./metric-cells.ts"
import { TagPills } from "./tag-pills.tsx"
import { text } from "./text.ts"

type CellProps = { readonly row: ElementRow }
type ElementColumn = RowColumn<ElementRow>

function NameCell({ row }: CellProps) {
  const { navigation } = useApp()
  const query = sharedQuery(navigation.address.value)
  query.delete("f")
  const shown = visibleText(row.name)
  return (
    <a href={printAddress(["elements", row.fqn], query)} title={shown} dir="auto">
      {shown}
    </a>
  )
}

function LastSeenCell({ row }: CellProps) {
  const { status } = row
  const ms = status?.lastSeen ?? null
  if (ms === null) {
    const reason = status?.level === "noData" ? text.never : text.notYet
    return <span class="secondary">{status === null ? "" : reason}</span>
  }
  return <Ago ms={ms} />
}

function Ago({ ms }: { readonly ms: number }) {
  const { clock, preferences } = useApp()
  const at = timeText(ms, preferences.timeStyle.value)
  return <span title={at}>{agoText(ms, clock.nowMs())}</span>
}

function CreatedCell({ row: { status } }: CellProps) {
  const times = useApp().preferences.timeStyle.value
  const ms = status?.created ?? null
  return ms === null ? text.noValue : timeText(ms, times)
}

/** Begins the names of the tags of maintenance, which the level shows. */
const stateTags = "n.state."

function shownTags(row: ElementRow): readonly string[] {
  return row.tags.filter(({ name }) => !name.startsWith(stateTags)).map(tagText)
}

function CollectedCell({ row: { status } }: CellProps) {
  const percent = status?.collectedPercent ?? null
  return percent === null ? text.noValue : `${Math.round(percent)} %`
}

const firstColumns: readonly ElementColumn[] = [
  {
    id: "level",
    title: text.level,
    className: style["levelColumn"],
    cell: ({ row: { status } }) =>
      status === null ? null : <LevelMark level={status.level} word={text.levels[status.level]} />,
  },
  { id: "name", title: text.name, className: style["nameColumn"], cell: NameCell },
]

type ColumnKind = Omit<ElementColumn, "id" | "title">

const plain: Readonly<Record<PlainColumn, ColumnKind>> = {
  type: {
    className: style["typeColumn"],
    isNextToName: true,
    cell: ({ row }) => <span dir="auto">{visibleText(row.type)}</span>,
  },
  alerts: {
    shortTitle: text.alertsShort,
    className: style["numberColumn"],
    isEmpty: ({ status }) => (status?.openIncidents ?? 0) === 0,
    cell: ({ row: { status } }) => (status === null ? "" : status.openIncidents || text.noValue),
  },
  collected: {
    className: style["numberColumn"],
    isEmpty: ({ status }) => (status?.collectedPercent ?? null) === null,
    cell: CollectedCell,
  },
  lastSeen: {
    className: style["timeColumn"],
    isEmpty: ({ status }) => status === null,
    cell: LastSeenCell,
  },
  created: {
    className: style["createdColumn"],
    isEmpty: ({ status }) => (status?.created ?? null) === null,
    cell: CreatedCell,
  },
  location: {
    className: style["locationColumn"],
    isEmpty: ({ location }) => location === null,
    cell: ({ row }) => <span dir="auto">{visibleText(row.location ?? text.noValue)}</span>,
  },
  tags: {
    className: style["tagsColumn"],
    isEmpty: (row) => shownTags(row).length === 0,
    cell: ({ row }) => <TagPills tags={shownTags(row)} />,
  },
}

/** The columns of a choice; `cells` has the values of those of metrics. */
export function elementColumns(
  choices: readonly ColumnChoice[],
  cells: ReadonlySignal<MetricCells>,
): readonly ElementColumn[] {
  // A choice of one's own is shown on every window that is no phone.
  const isDefault = choices.map(columnText).join() === defaultColumns.map(columnText).join()
  const chosen = choices.map((choice): ElementColumn => {
    const column = choice.kind === "plain" ? plain[choice.name] : keyedColumn(choice, cells)
    const className = classNames(column.className, isDefault && style["fitting"])
    // The orders of a metric say which statistics it has.
    const title = choice.kind === "metric" ? visibleText(choice.key) : columnTitle(choice)
    return { ...column, className, id: columnText(choice), title }
  })
  return [...firstColumns, ...chosen]
}

function keyedColumn(
  choice: Exclude<ColumnChoice, { kind: "plain" }>,
  cells: ReadonlySignal<MetricCells>,
): ColumnKind {
  const { kind, key } = choice
  if (kind === "metric") {
    const cell = ({ row }: CellProps) => <MetricCell {...{ row, cells }} metricFqn={key} />
    const orders = [
      { id: `metric.${key}`, title: text.avgHead, name: text.avg },
      { id: `p95.${key}`, title: text.p95Head, name: text.p95 },
    ]
    return { className: style["metricColumn"], cell, orders }
  }
  const valuesOf = (row: ElementRow): readonly string[] => {
    const list = kind === "tag" ? row.tags : row.attributes
    return list.filter(({ name }) => name === key).map(({ value }) => value)
  }
  return {
    className: style["keyedColumn"],
    isEmpty: (row) => valuesOf(row).length === 0,
    cell({ row }) {
      const found = valuesOf(row)
      return (
        <span dir="auto">{found.length === 0 ? text.noValue : visibleText(found.join(", "))}</span>
      )
    },
  }
}

interface MetricCellProps extends CellProps {
  readonly cells: ReadonlySignal<MetricCells>
  readonly metricFqn: string
}

/** Average and 95th percentile of the window, with its course. */
function MetricCell({ row, cells, metricFqn }: MetricCellProps) {
  const numbers = useApp().preferences.numberStyle.value
  const line = cells.value.get(cellKey(row.fqn, metricFqn))
  if (line === undefined) return <span class="secondary">{text.noValue}</span>
  const { summary, unit, values } = line
  const full = text.avgAndP95(fullValueText(summary.avg, unit), fullValueText(summary.p95, unit))
  return (
    <span class={style["metricCell"]} title={full}>
      <RowSpark values={values.actual ?? []} />
      <span class="visually-hidden">{text.avg}</span>
      <span class={style["metricValue"]}>{valueText(summary.avg, unit, numbers)}</span>
      <span class="visually-hidden">{text.p95}</span>
      <span class={style["metricValue"]}>{valueText(summary.p95, unit, numbers)}</span>
    </span>
  )
}
