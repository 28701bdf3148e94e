/** The columns of the inventory. */

import { useApp } from "../../frame/app.ts"
import type { RowColumn } from "../../frame/rows/row-table.tsx"
import { agoText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { printAddress } from "../../url/address.ts"
import { sharedQuery } from "../../url/shared-parameters.ts"
import type { ElementRow } from "./element-row.ts"
import style from "./inventory.module.css"
import { text } from "./text.ts"

type CellProps = { readonly row: ElementRow }

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
  const { clock, preferences } = useApp()
  const ms = row.status?.lastSeen ?? null
  if (ms === null) return <span class="secondary">{text.never}</span>
  const at = timeText(ms, preferences.timeStyle.value)
  return <span title={at}>{agoText(ms, clock.nowMs())}</span>
}

function TagsCell({ row }: CellProps) {
  const tags = row.tags.map(({ name, value }) => (value === "" ? name : `${name}:${value}`))
  return (
    <span class={style["tagList"]} title={visibleText(tags.join(", "))}>
      {tags.map((tag) => (
        <span key={tag} class={style["tag"]} dir="auto">
          {visibleText(tag)}
        </span>
      ))}
    </span>
  )
}

function CollectedCell({ row: { status } }: CellProps) {
  const percent = status?.collectedPercent ?? null
  return percent === null ? text.noValue : `${Math.round(percent)} %`
}

export const columns: readonly RowColumn<ElementRow>[] = [
  {
    id: "level",
    title: text.level,
    className: style["levelColumn"],
    cell: ({ row: { status } }) =>
      status === null ? null : <LevelMark level={status.level} word={text.levels[status.level]} />,
  },
  { id: "name", title: text.name, className: style["nameColumn"], cell: NameCell },
  {
    id: "type",
    title: text.type,
    className: style["typeColumn"],
    cell: ({ row }) => <span dir="auto">{visibleText(row.type)}</span>,
  },
  {
    id: "alerts",
    title: text.alerts,
    className: style["numberColumn"],
    cell: ({ row: { status } }) => (status === null ? "" : status.openIncidents || text.noValue),
  },
  { id: "collected", title: text.collected, className: style["numberColumn"], cell: CollectedCell },
  { id: "lastSeen", title: text.lastSeen, className: style["timeColumn"], cell: LastSeenCell },
  {
    id: "location",
    title: text.location,
    className: style["locationColumn"],
    cell: ({ row }) => <span dir="auto">{visibleText(row.location ?? text.noValue)}</span>,
  },
  { id: "tags", title: text.tags, className: style["tagsColumn"], cell: TagsCell },
]
