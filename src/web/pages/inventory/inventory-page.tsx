/** Inventory: all elements that pass the filter, with their level; changes of many of them. */

import { useLayoutEffect, useMemo, useState } from "preact/hooks"
import { levels, levelsFromWorst } from "../../api/element-words.ts"
import type { LevelCounts } from "../../api/overview/overview-answer.ts"
import { useApp } from "../../frame/app.ts"
import { FilterBar } from "../../frame/filter/filter-bar.tsx"
import { useRound } from "../../frame/live/use-round.ts"
import { LoadingLine } from "../../frame/loading/loading-line.tsx"
import { BrokenNote } from "../../frame/notes/broken-note.tsx"
import { PageHeading } from "../../frame/page-heading.tsx"
import { RowTable } from "../../frame/rows/row-table.tsx"
import { useSelection, type Selection } from "../../frame/rows/selection.ts"
import { useRows, type Rows } from "../../frame/rows/use-rows.ts"
import { mayWrite } from "../../frame/session/session.ts"
import { ViewsMenu } from "../../frame/views/views-menu.tsx"
import { Button, LinkButton } from "../../parts/button.tsx"
import { LevelBar } from "../../parts/level-bar.tsx"
import { Segments } from "../../parts/segments.tsx"
import { Empty, LoadFailed, Skeleton } from "../../parts/states.tsx"
import { restoreFocus } from "../../platform/focus.ts"
import { printFilter, printTerm } from "../../url/filter-language.ts"
import { BulkBar } from "./bulk-bar.tsx"
import { metricsOf } from "./column-choice.ts"
import { ColumnDialog } from "./column-dialog.tsx"
import { elementColumns } from "./columns.tsx"
import { isOrderId } from "./element-order.ts"
import { ElementRows, rowsKey, type ElementRow } from "./element-row.ts"
import { inventoryViews } from "./inventory-parameters.ts"
import { useInventoryState, type InventoryState } from "./inventory-state.ts"
import style from "./inventory.module.css"
import { MapView } from "./map-view.tsx"
import { useMetricCells } from "./metric-cells.ts"
import { text } from "./text.ts"

export default function InventoryPage() {
  const { api, ranges } = useApp()
  const state = useInventoryState()
  const { round, reload } = useRound(["cycle", "incident", "check"])
  const list = useMemo(() => new ElementRows(api), [api])
  const range = ranges.current.value
  const rows = useRows<ElementRow, LevelCounts>(
    rowsKey(state, range),
    (page, signal) => list.load({ state, range }, page, signal),
    round,
  )
  const selection = useSelection(JSON.stringify(state.body))
  const total = rows.total ?? 0
  const count = selection.isAll ? total : selection.keys.size
  // The bar goes with the selection, after a change that one of its buttons began.
  useLayoutEffect(restoreFocus, [count === 0])
  return (
    <div class={style["page"]}>
      <PageHeading text={text.title} isHidden />
      <LoadingLine loading={rows} text={text.loading} />
      <FilterBar>
        <span class={style["total"]} role="status">
          {rows.total === null ? "" : text.total(rows.total)}
        </span>
        <ViewTools state={state} />
      </FilterBar>
      <BrokenNote names={state.broken} />
      <div class={style["page"]} aria-busy={rows.isFormer || undefined}>
        {count > 0 ? (
          <BulkBar {...{ selection, state, total }} onChanged={reload} />
        ) : (
          <LevelBar
            label={text.levelsLabel}
            levels={levelsFromWorst}
            words={text.levels}
            counts={rows.more ?? null}
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
        {rows.total === 0 && !rows.isFormer && <NoElements state={state} />}
        {total > 0 && state.view === "map" && <MapView state={state} round={round} />}
        {total > 0 && state.view === "list" && (
          <ElementTable {...{ state, rows, total, selection, round }} />
        )}
      </div>
    </div>
  )
}

/** List or map, columns, saved views. */
function ViewTools({ state }: { readonly state: InventoryState }) {
  const [isChoosing, setChoosing] = useState(false)
  const options = inventoryViews.map((value) => ({ value, text: text.views[value] }))
  return (
    <div class={style["toolsEnd"]}>
      <Segments label={text.view} value={state.view} options={options} onValue={state.show} />
      {state.view === "list" && (
        <Button onClick={() => setChoosing(true)}>{text.chooseColumns}</Button>
      )}
      <ViewsMenu page="inventory" />
      {isChoosing && <ColumnDialog state={state} onClose={() => setChoosing(false)} />}
    </div>
  )
}

interface ElementTableProps {
  readonly state: InventoryState
  readonly rows: Rows<ElementRow, LevelCounts>
  readonly total: number
  readonly selection: Selection
  readonly round: number
}

function ElementTable({ state, rows, total, selection, round }: ElementTableProps) {
  const { session, ranges } = useApp()
  const { range, text: rangeText } = ranges.current.value
  const { columns, sort, isDescending, sortBy } = state
  const named = metricsOf(columns)
  const seriesOf = ({ fqn }: ElementRow) => named.map((metricId) => ({ elementId: fqn, metricId }))
  const asked = { seriesOf, range, subject: JSON.stringify(rangeText), round }
  const metrics = useMetricCells(rows, asked)
  const shown = useMemo(() => elementColumns(columns, metrics.cells), [columns, metrics.cells])
  const fields = shown.map(({ id }) => id).filter(isOrderId)
  return (
    <>
      <LoadFailed
        error={metrics.error}
        title={text.metricsFailed}
        retryText={text.retry}
        onRetry={metrics.reload}
      />
      <div class={style["rows"]} aria-busy={metrics.isFormer || undefined}>
        <RowTable
          label={text.table}
          columns={shown}
          rows={metrics.rows}
          total={total}
          order={{ fields, by: sort, isDescending, onSort: sortBy }}
          selection={mayWrite(session.user) ? selection : null}
          keyOf={(row) => row.fqn}
          nameOf={(row) => row.name}
        />
      </div>
    </>
  )
}

/** Why there is nothing, and each term whose removal may show something. */
function NoElements({ state }: { readonly state: InventoryState }) {
  const { filter, levels: chosen, setLevels } = state
  const { terms } = filter
  if (terms.length === 0 && chosen.length === 0) {
    return (
      <Empty reason={text.none}>
        <LinkButton href="welcome">{text.sendFirst}</LinkButton>
      </Empty>
    )
  }
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
      {chosen.length > 0 && <Button onClick={() => setLevels([])}>{text.removeLevels}</Button>}
    </Empty>
  )
}
