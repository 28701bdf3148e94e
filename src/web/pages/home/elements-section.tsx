/** Elements by type: a cell for each, the worst first. */

import { useMemo } from "preact/hooks"
import type { StatusMap } from "../../api/overview.ts"
import { useApp } from "../../frame/app.ts"
import { CellMap } from "../../frame/map/cell-map.tsx"
import { cellsOf, type Cell } from "../../frame/map/cells.ts"
import type { Loaded } from "../../frame/use-loaded.ts"
import { countText } from "../../format/numbers.ts"
import { visibleText } from "../../format/visible-text.ts"
import { Button, LinkButton } from "../../parts/button.tsx"
import { Empty, LoadingLine, LoadFailed, Skeleton } from "../../parts/states.tsx"
import style from "./home.module.css"
import { text } from "./text.ts"

interface ElementsSectionProps {
  readonly status: Loaded<StatusMap>
  readonly isFiltered: boolean
  readonly onClear: () => void
}

export function ElementsSection({ status, isFiltered, onClear }: ElementsSectionProps) {
  const { value, error, isLoading, reload } = status
  return (
    <section class={style["section"]}>
      <h2>{text.elements}</h2>
      <LoadingLine isLoading={isLoading && value !== null} text={text.loading} />
      <LoadFailed error={error} title={text.loadFailed} retryText={text.retry} onRetry={reload} />
      {value === null && error === null && <Skeleton text={text.loading} />}
      {value !== null && value.counts.total === 0 && (
        <NoElements isFiltered={isFiltered} onClear={onClear} />
      )}
      {value !== null && value.counts.total > 0 && <Groups status={value} />}
    </section>
  )
}

function NoElements({ isFiltered, onClear }: Omit<ElementsSectionProps, "status">) {
  if (isFiltered) {
    return (
      <Empty reason={text.noMatch}>
        <Button onClick={onClear}>{text.clear}</Button>
      </Empty>
    )
  }
  return (
    <Empty reason={text.noElements}>
      <LinkButton href="welcome">{text.sendFirst}</LinkButton>
    </Empty>
  )
}

/** CSS pixels of the map of one type, so that several types fit a window. */
const mapHeightMax = 160

interface Group {
  readonly type: string
  readonly total: number
  readonly cells: readonly Cell[]
}

function Groups({ status }: { readonly status: StatusMap }) {
  const groups = useMemo(() => groupsOf(status), [status])
  const numbers = useApp().preferences.numberStyle.value
  return (
    <>
      {status.columns === null && <p class="secondary">{text.noColumns}</p>}
      {groups.map(({ type, total, cells }) => (
        <div key={type} class={style["group"]}>
          <h3 dir="auto">
            {visibleText(type)} <span class="secondary">{countText(total, numbers)}</span>
          </h3>
          {cells.length > 0 && (
            <CellMap label={text.mapOf(type, total)} cells={cells} heightMax={mapHeightMax} />
          )}
        </div>
      ))}
    </>
  )
}

function groupsOf(status: StatusMap): Group[] {
  const { types } = status.counts
  const cells: Cell[][] = types.map(() => [])
  for (const cell of cellsOf(status)) cells[cell.type]?.push(cell)
  return types.map(({ type, total }, i) => ({ type, total, cells: cells[i]! }))
}
