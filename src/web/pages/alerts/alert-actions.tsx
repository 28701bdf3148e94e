/** Levels of alerts, or the changes of selected ones; `a` and `c` act on the row with the focus. */

import { useLayoutEffect, useState } from "preact/hooks"
import { countIncidents } from "../../api/incidents.ts"
import { alarmLevels } from "../../api/severity.ts"
import { useApp } from "../../frame/app.ts"
import type { Selection } from "../../frame/rows/selection.ts"
import type { Rows } from "../../frame/rows/use-rows.ts"
import type { Hotkey } from "../../frame/hotkeys.ts"
import { useHotkeys } from "../../frame/use-hotkeys.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { LevelBar } from "../../parts/level-bar.tsx"
import { restoreFocus } from "../../platform/focus.ts"
import { AcknowledgeDialog, CloseDialog } from "./alert-dialogs.tsx"
import { targetOfKeys, type AlertRow, type AlertTarget, type GroupLine } from "./alert-row.ts"
import type { AlertsState } from "./alerts-state.ts"
import { ChangeBar, type AlertDialog } from "./change-bar.tsx"
import { text } from "./text.ts"
import { useChange } from "./use-change.ts"

interface ActionsProps {
  readonly state: AlertsState
  readonly rows: Rows<AlertRow>
  readonly groups: readonly GroupLine[]
  /** Alerts that pass; null before the first answer. */
  readonly total: number | null
  readonly round: number
  /** Null for users who change nothing. */
  readonly selection: Selection | null
  readonly onChanged: () => void
}

export function Actions(props: ActionsProps) {
  const { state, total, round, selection, onChanged } = props
  const { api } = useApp()
  const { filter } = state
  const counts = useLoaded(
    `${round} ${state.countsKey}`,
    (signal) => countIncidents(api, filter, signal),
    state.countsKey,
  )
  const [opened, setOpened] = useState<Opened | null>(null)
  const change = useChange(() => {
    selection?.clear()
    onChanged()
  })
  const open = (dialog: AlertDialog): void => {
    const target = targetOf(props)
    if (target !== null) setOpened({ dialog, target })
  }
  useKeys(selection === null ? null : open)
  const selected = markedTarget(props)
  // The bar goes with the selection, after a change that one of its buttons began.
  useLayoutEffect(restoreFocus, [selected === null])
  return (
    <>
      {change.progress !== null && (
        <p role="status">{text.changing(change.progress.done, change.progress.count)}</p>
      )}
      {selection !== null && selected !== null ? (
        <ChangeBar
          selection={selection}
          count={selected.count}
          total={total ?? 0}
          isBusy={change.isRunning}
          onOpen={open}
          onTakeBack={() => change.run(selected, { action: "unack" })}
        />
      ) : (
        <LevelBar
          label={text.levelsLabel}
          levels={alarmLevels}
          words={text.levels}
          counts={counts.value}
          isFormer={counts.isFormer}
          chosen={filter.levels}
          onChoose={state.setLevels}
        />
      )}
      {opened?.dialog === "ack" && (
        <AcknowledgeDialog
          count={opened.target.count}
          onClose={() => setOpened(null)}
          onChange={(made) => change.run(opened.target, made)}
        />
      )}
      {opened?.dialog === "close" && (
        <CloseDialog
          count={opened.target.count}
          onClose={() => setOpened(null)}
          onChange={(made) => change.run(opened.target, made)}
        />
      )}
    </>
  )
}

interface Opened {
  readonly dialog: AlertDialog
  readonly target: AlertTarget
}

type TargetOf = Pick<ActionsProps, "state" | "rows" | "groups" | "total" | "selection">

/** The selected alerts; null without any. */
function markedTarget({ state, groups, total, selection }: TargetOf): AlertTarget | null {
  if (selection === null) return null
  const { filter } = state
  if (selection.isAll) return { ids: [], filters: [filter], count: total ?? 0 }
  const target = targetOfKeys(filter, selection.keys, groups)
  // A selected group may be gone meanwhile.
  return target.count === 0 ? null : target
}

/** The selected alerts; without any those of the row with the focus. */
function targetOf(of: TargetOf): AlertTarget | null {
  const marked = markedTarget(of)
  if (marked !== null || of.selection === null) return marked
  const index = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset["row"]
  const row = index === undefined ? undefined : of.rows.row(Number(index))
  return row === undefined ? null : targetOfKeys(of.state.filter, new Set([row.key]), of.groups)
}

/** `a` and `c` act on selected alerts, or on the row with the focus. */
function useKeys(open: ((dialog: AlertDialog) => void) | null): void {
  const key = (keys: string, name: string, dialog: AlertDialog): Hotkey => {
    return { keys, text: name, group: "list", run: () => open?.(dialog) }
  }
  const changes = [key("a", text.keys.acknowledge, "ack"), key("c", text.keys.close, "close")]
  useHotkeys(open === null ? [] : changes)
}
