/** Elements by type: a cell for each, the worst first. */

import { useMemo } from "preact/hooks"
import type { Level } from "../../api/element-words.ts"
import type { StatusMap } from "../../api/overview.ts"
import { useApp } from "../../frame/app.ts"
import type { Loaded } from "../../frame/use-loaded.ts"
import { countText } from "../../format/numbers.ts"
import { visibleText } from "../../format/visible-text.ts"
import { Button, LinkButton } from "../../parts/button.tsx"
import { Empty, LoadingLine, LoadFailed, Skeleton } from "../../parts/states.tsx"
import { CellMap, type Cell } from "./cell-map.tsx"
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
          {cells.length > 0 && <CellMap label={text.mapOf(type, total)} cells={cells} />}
        </div>
      ))}
    </>
  )
}

/** From the worst to the best. */
const order: readonly Level[] = ["critical", "warning", "info", "noData", "maintenance", "ok"]

function groupsOf({ counts, columns, levels }: StatusMap): Group[] {
  const cells: Cell[][] = counts.types.map(() => [])
  columns?.fqn.forEach((fqn, i) => {
    const level = levels[columns.level[i]!] ?? "noData"
    const cell = { fqn, name: columns.name[i]!, level, openIncidents: columns.openIncidents[i]! }
    cells[columns.type[i]!]?.push(cell)
  })
  const rank = ({ level }: Cell): number => order.indexOf(level)
  return counts.types.map(({ type, total }, i) => {
    return { type, total, cells: cells[i]!.sort((one, other) => rank(one) - rank(other)) }
  })
}
