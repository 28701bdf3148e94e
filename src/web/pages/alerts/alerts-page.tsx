/** Alerts: open and past incidents; many are acknowledged or closed together, by keys too. */

import { useMemo } from "preact/hooks"
import { incidentPage } from "../../api/incidents.ts"
import { incidentStates } from "../../api/incident/listed.ts"
import { policyMutes } from "../../api/incident/groups.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useReloadOn } from "../../frame/live/use-live.ts"
import { LoadingLine } from "../../frame/loading/loading-line.tsx"
import { PageHeading } from "../../frame/page-heading.tsx"
import { RowTable } from "../../frame/rows/row-table.tsx"
import { SearchField } from "../../frame/rows/search-field.tsx"
import { useSelection } from "../../frame/rows/selection.ts"
import { useHeld, type Held } from "../../frame/rows/use-held.ts"
import { pageRows, useRows, type Rows } from "../../frame/rows/use-rows.ts"
import { mayWrite } from "../../frame/session/session.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { Button } from "../../parts/button.tsx"
import { InlineSelect } from "../../parts/inline-select.tsx"
import { Segments } from "../../parts/segments.tsx"
import { Empty, LoadFailed, Skeleton } from "../../parts/states.tsx"
import { useMetricCells } from "../inventory/metric-cells.ts"
import { Actions } from "./alert-actions.tsx"
import { AlertOverview } from "./alert-overview.tsx"
import {
  alertGroupings,
  alertKey,
  withGroups,
  type AlertRow,
  type GroupedBy,
  type GroupLine,
} from "./alert-row.ts"
import { alertSparkMs, comparedSeries } from "./alert-sparks.ts"
import {
  alertSearchMax,
  serverOrder,
  useAlertsState,
  type AlertsState,
  type AlertSort,
} from "./alerts-state.ts"
import style from "./alerts.module.css"
import { alertColumns, nameOfRow } from "./columns.tsx"
import { nameOfAlert } from "./group-cells.tsx"
import { text } from "./text.ts"
import { useGroups } from "./use-groups.ts"
import { useOverview, type Overview } from "./use-overview.ts"

export default function AlertsPage() {
  const { ranges } = useApp()
  const state = useAlertsState()
  const { round } = ranges.current.value
  const reload = (): void => ranges.refetch()
  const held = useHeld(reload)
  useReloadOn(["incident"], () => {
    // A range of fixed times has open alerts, too.
    if (ranges.live.peek() !== false) held.change()
  })
  const { grouping } = state
  const overview = useOverview(state, round)
  const props = { state, round, reload, held, overview }
  return grouping === "time" ? (
    <SingleAlerts {...props} />
  ) : (
    <GroupedAlerts key={grouping} by={grouping} {...props} />
  )
}

interface AlertsProps {
  readonly state: AlertsState
  readonly round: number
  readonly reload: () => void
  readonly held: Held
  readonly overview: Overview
}

function SingleAlerts(props: AlertsProps) {
  const { api } = useApp()
  const { state, round } = props
  const { filter, listKey, sort, isDescending } = state
  const key = JSON.stringify([listKey, sort, isDescending])
  const mutes = useLoaded(String(round), (signal) => policyMutes(api, signal))
  const found = useRows(
    key,
    async (page, signal) => {
      const part = { limit: pageRows, offset: page * pageRows }
      const order = { ...serverOrder({ sort, isDescending }), ...part }
      const { incidents, total } = await incidentPage(api, filter, order, signal)
      return { rows: incidents, total }
    },
    round,
  )
  const rows = useMemo<Rows<AlertRow>>(() => {
    const row = (index: number): AlertRow | undefined => {
      const incident = found.row(index)
      if (incident === undefined) return undefined
      const mutedUntilMs = mutes.value?.[incident.policyId] ?? null
      const own = { key: alertKey(incident, null), incident, group: null }
      return { kind: "alert", ...own, mutedUntilMs }
    }
    return { ...found, row }
  }, [found, mutes.value])
  return <AlertsView {...props} rows={rows} groups={[]} total={found.total} hidden={0} />
}

function GroupedAlerts({ by, ...props }: AlertsProps & { readonly by: GroupedBy }) {
  const { state, round } = props
  const listAddress = (id: string): string => state.listAddress(by, id)
  const found = useGroups({ ...state, by, round, listAddress })
  return <AlertsView {...props} {...found} />
}

interface ViewProps extends AlertsProps {
  readonly rows: Rows<AlertRow>
  readonly groups: readonly GroupLine[]
  /** Alerts that pass; null before the first answer. */
  readonly total: number | null
  /** Groups that are not shown. */
  readonly hidden: number
}

function AlertsView(props: ViewProps) {
  const { state, round, reload, held, overview, rows, groups, total, hidden } = props
  const { session } = useApp()
  const chosen = withGroups(useSelection(JSON.stringify([state.listKey, state.grouping])))
  const selection = mayWrite(session.user) ? chosen : null
  const { error } = rows
  return (
    <div class={style["page"]}>
      <PageHeading text={text.title} isHidden />
      <LoadingLine loading={rows} text={text.loading} />
      <Controls state={state} total={total} />
      <Actions {...{ state, rows, groups, total, round, selection }} onChanged={reload} />
      <AlertOverview state={state} overview={overview} />
      <OnlyOf state={state} row={rows.row(0)} />
      {held.isWaiting && <Button onClick={held.show}>{text.changedMeanwhile}</Button>}
      <LoadFailed error={error} title={text.loadFailed} retryText={text.retry} onRetry={reload} />
      {total === null && error === null && <Skeleton text={text.loading} rows={12} />}
      {total === 0 && !rows.isFormer && <NoAlerts state={state} />}
      {total !== null && total > 0 && (
        <div
          aria-busy={rows.isFormer || undefined}
          onPointerEnter={held.enter}
          onPointerLeave={held.leave}
        >
          <AlertTable {...{ state, rows, round, selection }} />
          {hidden > 0 && (
            <p class={style["hidden"]}>
              {text.hiddenGroups(hidden)}{" "}
              <Button onClick={() => state.setGrouping("time")}>{text.listSingly}</Button>
            </p>
          )}
        </div>
      )}
    </div>
  )
}

const noSorts: readonly AlertSort[] = []

type TableProps = Pick<ViewProps, "state" | "rows" | "round"> &
  Pick<Parameters<typeof Actions>[0], "selection">

function AlertTable({ state, rows, round, selection }: TableProps) {
  const { clock } = useApp()
  const { grouping, sorts, sort, isDescending, sortBy } = state
  const range = useMemo(() => {
    const endMs = clock.nowMs()
    return { startMs: endMs - alertSparkMs, endMs }
  }, [round])
  const metrics = useMetricCells(rows, { seriesOf, range, subject: "", round })
  const columns = useMemo(() => alertColumns(grouping, metrics.cells), [grouping, metrics.cells])
  return (
    <RowTable
      label={text.table}
      columns={columns}
      rows={metrics.rows}
      total={rows.total ?? 0}
      order={{
        fields: grouping === "time" ? sorts : noSorts,
        by: sort,
        isDescending,
        onSort: sortBy,
      }}
      selection={selection}
      keyOf={({ key }) => key}
      nameOf={nameOfRow}
      classOf={(row) =>
        row.kind === "group" ? style["group"] : row.group === null ? undefined : style["below"]
      }
    />
  )
}

/** The course of the value that an open alert compared. */
function seriesOf(row: AlertRow): readonly { elementId: string; metricId: string }[] {
  if (row.kind === "group" || row.incident.tsClosed !== null) return []
  const series = comparedSeries(row.incident)
  return series === null ? [] : [series]
}

interface OnlyOfProps {
  readonly state: AlertsState
  readonly row: AlertRow | undefined
}

/** The policy or element of which alone alerts are listed. */
function OnlyOf({ state: { filter, clear }, row }: OnlyOfProps) {
  const { policyId, elementId } = filter
  if (policyId === undefined && elementId === undefined) return null
  const incident = row?.kind === "alert" ? row.incident : row?.group.incidents[0]
  const by = policyId === undefined ? "element" : "policy"
  const name = incident === undefined ? visibleText(policyId ?? elementId!) : null
  return (
    <p class={style["only"]}>
      {text.onlyOf(name ?? nameOfAlert(incident!, by))}
      <Button kind="quiet" onClick={clear}>
        {text.everything}
      </Button>
    </p>
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
      <InlineSelect
        label={text.grouping}
        isShown
        value={state.grouping}
        options={alertGroupings.map((value) => ({ value, text: text.groupings[value] }))}
        onValue={state.setGrouping}
      />
      <span class={style["total"]} role="status">
        {total === null ? "" : text.total(total)}
      </span>
    </div>
  )
}

/** Why there is nothing, and what may show something. */
function NoAlerts({ state }: { readonly state: AlertsState }) {
  const { ranges } = useApp()
  const { filter, clear, setState } = state
  const { text: searched, levels, policyId, elementId } = filter
  const isNarrowed = searched !== "" || levels.length > 0 || (policyId ?? elementId) !== undefined
  return (
    <Empty reason={isNarrowed ? text.nonePasses : text.none[filter.state]}>
      {isNarrowed && <Button onClick={clear}>{text.clear}</Button>}
      {filter.state !== "all" && <Button onClick={() => setState("all")}>{text.showAll}</Button>}
      {filter.range !== undefined && (
        <Button onClick={() => ranges.show({ from: "now-7d", to: "now" })}>{text.longer}</Button>
      )}
    </Empty>
  )
}
