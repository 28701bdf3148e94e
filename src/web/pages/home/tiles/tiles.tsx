/**
 * Elements of a small fleet as tiles: level, name, and the main metric of the type. Each type is a
 * list of links with one tab stop: the arrows, Home and End move in it.
 */

import type { TargetedKeyboardEvent } from "preact"
import { useMemo, useRef, useState } from "preact/hooks"
import type { SeriesLine } from "../../../api/series-answer.ts"
import type { StatusMap } from "../../../api/overview/overview-answer.ts"
import { RowSpark } from "../../../chart/small/row-spark.tsx"
import { valueText } from "../../../format/numbers.ts"
import { visibleText } from "../../../format/visible-text.ts"
import { useApp } from "../../../frame/app.ts"
import type { TypedCell } from "../../../frame/map/cells.ts"
import { classNames } from "../../../parts/class-names.ts"
import { LevelSymbol } from "../../../parts/level-mark.tsx"
import { LoadFailed } from "../../../parts/states.tsx"
import { elementAddress } from "../../../url/element-address.ts"
import { linkWithShared } from "../../../url/shared-parameters.ts"
import { GroupHeading } from "../group-heading.tsx"
import { text } from "../text.ts"
import { tileGroups, type TileGroup } from "./tile-groups.ts"
import { tileMove } from "./tile-move.ts"
import style from "./tiles.module.css"
import { useInSight } from "./use-in-sight.ts"
import { useTileValues, type TileValues } from "./use-tile-values.ts"

export function Tiles({ status }: { readonly status: StatusMap }) {
  const groups = useMemo(() => tileGroups(status), [status])
  const holder = useRef<HTMLDivElement>(null)
  const values = useTileValues(groups, useInSight(holder, groups))
  const { error, reload } = values
  return (
    <div ref={holder} class={style["groups"]}>
      <LoadFailed error={error} title={text.valuesFailed} retryText={text.retry} onRetry={reload} />
      {groups.map((group) => (
        <TileList key={group.type} group={group} values={values} />
      ))}
    </div>
  )
}

interface TileListProps {
  readonly group: TileGroup
  readonly values: TileValues
}

function TileList({ group: { type, cells }, values: { metrics, lines } }: TileListProps) {
  const [chosen, setChosen] = useState("")
  const current = cells.some(({ fqn }) => fqn === chosen) ? chosen : cells[0]?.fqn
  const metric = metrics.get(type) ?? null
  const press = (event: TargetedKeyboardEvent<HTMLUListElement>): void => {
    const links = [...event.currentTarget.querySelectorAll("a")]
    const at = links.indexOf(event.target as HTMLAnchorElement)
    const columns = links.filter(({ offsetTop }) => offsetTop === links[0]?.offsetTop).length
    const next = tileMove(event.key, { at, columns, count: links.length })
    if (next === null) return
    event.preventDefault()
    links[next]?.focus()
  }
  return (
    <div>
      <GroupHeading type={type} total={cells.length} metric={metric} />
      <ul class={style["tiles"]} aria-label={text.tilesOf(type, cells.length)} onKeyDown={press}>
        {cells.map((cell) => (
          <li key={cell.fqn} onFocusCapture={() => setChosen(cell.fqn)}>
            <Tile cell={cell} line={lines.get(cell.fqn)} isCurrent={cell.fqn === current} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface TileProps {
  readonly cell: TypedCell
  /** Undefined if the element has no values of the metric. */
  readonly line: SeriesLine | undefined
  readonly isCurrent: boolean
}

/** A value of more than half an hour ago is not one of now. */
const valueMsMax = 1_800_000

function Tile({ cell, line, isCurrent }: TileProps) {
  const { navigation, preferences, clock } = useApp()
  const { fqn, name, level, openIncidents } = cell
  const { last = null, lastTime = null } = line?.summary ?? {}
  const isOld = level === "noData" || (lastTime ?? 0) < clock.nowMs() - valueMsMax
  const value = isOld ? null : valueText(last, line?.unit ?? "", preferences.numberStyle.value)
  const shown = visibleText(name)
  return (
    <a
      class={classNames(style["tile"], style[level])}
      href={linkWithShared(elementAddress(fqn), navigation.address.value)}
      tabIndex={isCurrent ? 0 : -1}
      data-fqn={fqn}
    >
      <LevelSymbol level={level} />
      <span class={style["name"]} dir="auto" title={shown}>
        {shown}
        <span class="visually-hidden">{text.tile(text.levels[level], openIncidents)}</span>
      </span>
      {value !== null && (
        <span class={style["facts"]}>
          <RowSpark values={line?.values.actual ?? []} isSmall />
          <strong class={style["value"]} title={line!.metricFqn}>
            <span class="visually-hidden">{line!.metricFqn} </span>
            {value}
          </strong>
        </span>
      )}
    </a>
  )
}
