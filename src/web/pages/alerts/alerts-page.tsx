/** Alerts: open and past incidents; many are acknowledged or closed together, by keys too. */

import { useLayoutEffect, useState } from "preact/hooks"
import { countIncidents, incidentPage, incidentStates } from "../../api/incidents.ts"
import type { ListedIncident } from "../../api/incidents.ts"
import { alarmLevels } from "../../api/severity.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useHotkeys } from "../../frame/use-hotkeys.ts"
import { useReloadOn } from "../../frame/live/use-live.ts"
import { PageHeading } from "../../frame/page-heading.tsx"
import { RowTable } from "../../frame/rows/row-table.tsx"
import { SearchField } from "../../frame/rows/search-field.tsx"
import { useSelection, type Selection } from "../../frame/rows/selection.ts"
import { useHeld } from "../../frame/rows/use-held.ts"
import { pageRows, useRows, type Rows } from "../../frame/rows/use-rows.ts"
import { mayWrite } from "../../frame/session.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { Button } from "../../parts/button.tsx"
import { LevelBar } from "../../parts/level-bar.tsx"
import { Segments } from "../../parts/segments.tsx"
import { Empty, LoadingLine, LoadFailed, Skeleton } from "../../parts/states.tsx"
import { restoreFocus } from "../../platform/focus.ts"
import { AcknowledgeDialog, CloseDialog } from "./alert-dialogs.tsx"
import { alertSearchMax, useAlertsState, type AlertsState } from "./alerts-state.ts"
import style from "./alerts.module.css"
import { ChangeBar, type AlertDialog } from "./change-bar.tsx"
import { alertColumns, policyOf } from "./columns.tsx"
import { text } from "./text.ts"
import { useChange, type ChangeTarget } from "./use-change.ts"

export default function AlertsPage() {
  const { api, session } = useApp()
  const state = useAlertsState()
  const { filter, isNewestFirst } = state
  const [round, setRound] = useState(0)
  const reload = (): void => setRound((count) => count + 1)
  const rows = useRows(JSON.stringify([filter, isNewestFirst, round]), async (page, signal) => {
    const order = { isNewestFirst, limit: pageRows, offset: page * pageRows }
    const { incidents, total } = await incidentPage(api, filter, order, signal)
    return { rows: incidents, total }
  })
  const held = useHeld(reload)
  useReloadOn(["incident"], held.change)
  const selection = useSelection(JSON.stringify(filter))
  const { total, error } = rows
  return (
    <div class={style["page"]}>
      <PageHeading text={text.title} isHidden />
      <LoadingLine isLoading={rows.isLoading} text={text.loading} />
      <Controls state={state} total={total} />
      <Actions
        state={state}
        rows={rows}
        round={round}
        selection={mayWrite(session.user) ? selection : null}
        onChanged={reload}
      />
      {held.isWaiting && <Button onClick={held.show}>{text.changedMeanwhile}</Button>}
      <LoadFailed error={error} title={text.loadFailed} retryText={text.retry} onRetry={reload} />
      {total === null && error === null && <Skeleton text={text.loading} rows={12} />}
      {total === 0 && <NoAlerts state={state} />}
      {total !== null && total > 0 && (
        <div onPointerEnter={held.enter} onPointerLeave={held.leave}>
          <RowTable
            label={text.table}
            columns={alertColumns}
            rows={rows}
            total={total}
            order={{
              fields: ["since"],
              by: "since",
              isDescending: isNewestFirst,
              onSort: state.turnOrder,
            }}
            selection={mayWrite(session.user) ? selection : null}
            keyOf={(row) => row.incidentId}
            nameOf={(row) => text.of(policyOf(row), visibleText(row.elementName))}
          />
        </div>
      )}
    </div>
  )
}

interface ControlsProps {
  readonly state: AlertsState
  readonly total: number | null
}

function Controls({ state, total }: ControlsProps) {
  const { filter } = state
  return (
    <div class={style["controls"]}>
      <Segments
        label={text.state}
        value={filter.state}
        options={incidentStates.map((value) => ({ value, text: text.states[value] }))}
        onValue={state.setState}
      />
      <SearchField
        label={text.search}
        value={filter.text}
        maxLength={alertSearchMax}
        onValue={state.search}
      />
      <span class={style["total"]} role="status">
        {total === null ? "" : text.total(total)}
      </span>
    </div>
  )
}

interface ActionsProps {
  readonly state: AlertsState
  readonly rows: Rows<ListedIncident>
  readonly round: number
  /** Null for users who change nothing. */
  readonly selection: Selection | null
  readonly onChanged: () => void
}

/** The levels, or what can be done with selected alerts. */
function Actions({ state, rows, round, selection, onChanged }: ActionsProps) {
  const { api } = useApp()
  const { filter } = state
  const others = { ...filter, levels: [] }
  const counts = useLoaded(JSON.stringify([others, round]), (signal) =>
    countIncidents(api, others, signal),
  )
  const [opened, setOpened] = useState<Opened | null>(null)
  const change = useChange(() => {
    selection?.clear()
    onChanged()
  })
  const open = (dialog: AlertDialog): void => {
    const target = selection === null ? null : targetOf({ filter, rows, selection })
    if (target !== null) setOpened({ dialog, ...target })
  }
  useKeys(selection === null ? null : open, onChanged)
  const selected = selection === null ? null : targetOf({ filter, rows, selection, isMarked: true })
  // The bar goes with the selection, after a change that one of its buttons began.
  useLayoutEffect(restoreFocus, [selected === null])
  return (
    <>
      {selection !== null && selected !== null ? (
        <ChangeBar
          selection={selection}
          count={selected.count}
          total={rows.total ?? 0}
          isBusy={change.isRunning}
          onOpen={open}
          onTakeBack={() => change.run(selected.target, { action: "unack" })}
        />
      ) : (
        <LevelBar
          label={text.levelsLabel}
          levels={alarmLevels}
          words={text.levels}
          counts={counts.value}
          chosen={filter.levels}
          onChoose={state.setLevels}
        />
      )}
      {opened?.dialog === "ack" && (
        <AcknowledgeDialog
          count={opened.count}
          onClose={() => setOpened(null)}
          onChange={(made) => change.run(opened.target, made)}
        />
      )}
      {opened?.dialog === "close" && (
        <CloseDialog
          count={opened.count}
          onClose={() => setOpened(null)}
          onChange={(made) => change.run(opened.target, made)}
        />
      )}
    </>
  )
}

interface Target {
  readonly target: ChangeTarget
  readonly count: number
}

interface Opened extends Target {
  readonly dialog: AlertDialog
}

interface TargetOf extends Pick<ActionsProps, "rows"> {
  readonly filter: AlertsState["filter"]
  readonly selection: Selection
  /** Only selected alerts; if not, without any the one of the row with the focus. */
  readonly isMarked?: true
}

/** The alerts that a change is about; null if there are none. */
function targetOf({ filter, rows, selection, isMarked }: TargetOf): Target | null {
  if (selection.isAll) return { target: { filter }, count: rows.total ?? 0 }
  if (selection.keys.size > 0) {
    return { target: { ids: [...selection.keys] }, count: selection.keys.size }
  }
  if (isMarked) return null
  const index = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset["row"]
  const row = index === undefined ? undefined : rows.row(Number(index))
  return row === undefined ? null : { target: { ids: [row.incidentId] }, count: 1 }
}

/** `a` and `c` act on selected alerts, or on the row with the focus. */
function useKeys(open: ((dialog: AlertDialog) => void) | null, reload: () => void): void {
  const list = { group: "list" } as const
  const refetch = { keys: "r", text: text.refetch, group: "page", run: reload } as const
  const changes = open !== null && [
    { ...list, keys: "a", text: text.keys.acknowledge, run: () => open("ack") },
    { ...list, keys: "c", text: text.keys.close, run: () => open("close") },
  ]
  useHotkeys([refetch, ...(changes || [])])
}

/** Why there is nothing, and what may show something. */
function NoAlerts({ state }: { readonly state: AlertsState }) {
  const { filter, clear, setState } = state
  const isNarrowed = filter.text !== "" || filter.levels.length > 0
  return (
    <Empty reason={isNarrowed ? text.nonePasses : text.none[filter.state]}>
      {isNarrowed && <Button onClick={clear}>{text.clear}</Button>}
      {filter.state !== "all" && <Button onClick={() => setState("all")}>{text.showAll}</Button>}
    </Empty>
  )
}
