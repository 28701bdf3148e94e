/** Elements by type, the worst first: tiles of a small fleet, cells of a map of a larger one. */

import { useMemo } from "preact/hooks"
import type { StatusMap } from "../../api/overview/overview-answer.ts"
import { LoadingLine } from "../../frame/loading/loading-line.tsx"
import { CellMap } from "../../frame/map/cell-map.tsx"
import { cellsOf, type Cell } from "../../frame/map/cells.ts"
import type { Loaded } from "../../frame/loaded.ts"
import { Button, LinkButton } from "../../parts/button.tsx"
import { Empty, LoadFailed, Skeleton } from "../../parts/states.tsx"
import { GroupHeading } from "./group-heading.tsx"
import style from "./home.module.css"
import { text } from "./text.ts"
import { tilesMax } from "./tiles/tile-groups.ts"
import { Tiles } from "./tiles/tiles.tsx"

interface ElementsSectionProps {
  readonly status: Loaded<StatusMap>
  readonly isFiltered: boolean
  readonly onClear: () => void
}

export function ElementsSection({ status, isFiltered, onClear }: ElementsSectionProps) {
  const { value, error, isFormer, reload } = status
  return (
    <section class={style["section"]}>
      <h2>{text.elements}</h2>
      <LoadingLine loading={status} text={text.loading} />
      <LoadFailed error={error} title={text.loadFailed} retryText={text.retry} onRetry={reload} />
      {value === null && error === null && <Skeleton text={text.loading} />}
      {value !== null && value.counts.total === 0 && !isFormer && (
        <NoElements isFiltered={isFiltered} onClear={onClear} />
      )}
      {value !== null && value.counts.total > 0 && (
        <div aria-busy={isFormer || undefined}>
          <Elements status={value} />
        </div>
      )}
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

function Elements({ status }: { readonly status: StatusMap }) {
  return status.counts.total <= tilesMax ? <Tiles status={status} /> : <Maps status={status} />
}

interface Group {
  readonly type: string
  readonly total: number
  readonly cells: readonly Cell[]
}

function Maps({ status }: { readonly status: StatusMap }) {
  const groups = useMemo(() => groupsOf(status), [status])
  return (
    <>
      {status.columns === null && <p class="secondary">{text.noColumns}</p>}
      {groups.map(({ type, total, cells }) => (
        <div key={type} class={style["group"]}>
          <GroupHeading type={type} total={total} />
          {cells.length > 0 && (
            <CellMap label={text.mapOf(type, total)} cells={cells} total={status.counts.total} />
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
