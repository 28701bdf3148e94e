/** Inventory: all elements that pass the filter, with their level; changes of many of them. */

import { useState } from "preact/hooks"
import { elementSortFields, levels, type Level } from "../../api/element-words.ts"
import { countLevels } from "../../api/elements.ts"
import { useApp } from "../../frame/app.ts"
import { useHotkeys } from "../../frame/use-hotkeys.ts"
import { FilterBar } from "../../frame/filter/filter-bar.tsx"
import { useReloadOn } from "../../frame/live/use-live.ts"
import { PageHeading } from "../../frame/page-heading.tsx"
import { mayWrite } from "../../frame/session.ts"
import { RowTable } from "../../frame/rows/row-table.tsx"
import { useSelection } from "../../frame/rows/selection.ts"
import { useRows } from "../../frame/rows/use-rows.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { Button } from "../../parts/button.tsx"
import { LevelBar } from "../../parts/level-bar.tsx"
import { Empty, LoadingLine, LoadFailed, Skeleton } from "../../parts/states.tsx"
import { printFilter, printTerm } from "../../url/filter-language.ts"
import { BulkBar } from "./bulk-bar.tsx"
import { columns } from "./columns.tsx"
import { loadRows } from "./element-row.ts"
import { useInventoryState, type InventoryState } from "./inventory-state.ts"
import style from "./inventory.module.css"
import { text } from "./text.ts"

/** Worst first, then what is out of the ordinary, then the rest. */
const levelOrder: readonly Level[] = ["critical", "warning", "info", "noData", "maintenance", "ok"]

export default function InventoryPage() {
  const { api, session } = useApp()
  const state = useInventoryState()
  const [round, setRound] = useState(0)
  const reload = (): void => setRound((count) => count + 1)
  useHotkeys([{ keys: "r", text: text.refetch, group: "page", run: reload }])
  useReloadOn(["cycle", "incident", "check"], reload)
  const { body, sort, isDescending, groups } = state
  const key = JSON.stringify([body, sort, isDescending])
  const rows = useRows(key, (page, signal) => loadRows(api, state, page, signal), round)
  const counts = useLoaded(JSON.stringify([groups, round]), (signal) =>
    countLevels(api, groups, signal),
  )
  const selection = useSelection(JSON.stringify(body))
  const canChange = mayWrite(session.user)
  const count = selection.isAll ? (rows.total ?? 0) : selection.keys.size
  return (
    <div class={style["page"]}>
      <PageHeading text={text.title} isHidden />
      <LoadingLine isLoading={rows.isLoading} text={text.loading} />
      <FilterBar>
        <span class={style["total"]} role="status">
          {rows.total === null ? "" : text.total(rows.total)}
        </span>
      </FilterBar>
      {count > 0 ? (
        <BulkBar selection={selection} state={state} total={rows.total ?? 0} onChanged={reload} />
      ) : (
        <LevelBar
          label={text.levelsLabel}
          levels={levelOrder}
          words={text.levels}
          counts={counts.value}
          chosen={state.levels}
          onChoose={(chosen) => state.setLevels(levels.filter((one) => chosen.includes(one)))}
        />
      )}
      <LoadFailed
        error={rows.error}
        title={text.loadFailed}
        retryText={text.retry}
        onRetry={reload}
      />
      {rows.total === null && rows.error === null && <Skeleton text={text.loading} rows={12} />}
      {rows.total === 0 && <NoElements state={state} />}
      {rows.total !== null && rows.total > 0 && (
        <RowTable
          label={text.table}
          columns={columns}
          rows={rows}
          total={rows.total}
          order={{ fields: elementSortFields, by: sort, isDescending, onSort: state.sortBy }}
          selection={canChange ? selection : null}
          keyOf={(row) => row.fqn}
          nameOf={(row) => row.name}
        />
      )}
    </div>
  )
}

/** Why there is nothing, and each term whose removal may show something. */
function NoElements({ state }: { readonly state: InventoryState }) {
  const { filter, levels, setLevels } = state
  const { terms } = filter
  if (terms.length === 0 && levels.length === 0) return <Empty reason={text.none} />
  return (
    <Empty reason={text.nonePasses}>
      {terms.map((term, i) => (
        <Button
          key={printTerm(term)}
          onClick={() => filter.set(printFilter(terms.filter((_, other) => other !== i)))}
        >
          {text.removeTerm(printTerm(term))}
        </Button>
      ))}
      {levels.length > 0 && <Button onClick={() => setLevels([])}>{text.removeLevels}</Button>}
    </Empty>
  )
}
