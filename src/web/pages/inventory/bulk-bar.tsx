/** Changes of selected elements: maintenance, tags, deletion. */

import { useState } from "preact/hooks"
import { changeElements, type BulkChange, type BulkTarget } from "../../api/elements.ts"
import { useApp } from "../../frame/app.ts"
import style from "../../frame/rows/bulk.module.css"
import { Button, LinkButton } from "../../parts/button.tsx"
import { Menu } from "../../parts/menu.tsx"
import { printAddress } from "../../url/address.ts"
import { filterLengthMax, printFilter } from "../../url/filter-language.ts"
import { DeleteDialog, TagDialog } from "./bulk-dialogs.tsx"
import type { InventoryState } from "./inventory-state.ts"
import type { Selection } from "../../frame/rows/selection.ts"
import { text } from "./text.ts"

export interface BulkBarProps {
  readonly selection: Selection
  readonly state: InventoryState
  /** Elements that pass the filter. */
  readonly total: number
  readonly onChanged: () => void
}

const hourMs = 3_600_000

export function BulkBar({ selection, state, total, onChanged }: BulkBarProps) {
  const { clock } = useApp()
  const [dialog, setDialog] = useState<"tag" | "delete" | null>(null)
  const count = selection.isAll ? total : selection.keys.size
  const target: BulkTarget = selection.isAll
    ? { filter: state.body }
    : { fqns: [...selection.keys] }
  const change = useChange(target, onChanged)
  const maintain = (hours: number) => () =>
    change.run({ action: "startMaintenance", until: Math.round(clock.nowMs() + hours * hourMs) })
  const close = (): void => setDialog(null)
  const metricsAddress = exploreFilterAddress(
    selection.isAll ? state.filter.text : filterOf([...selection.keys]),
  )
  const { maintenanceFor } = text
  return (
    <div class={style["bulk"]} role="toolbar" aria-label={text.selected(count)}>
      <strong role="status">{text.selected(count)}</strong>
      {!selection.isAll && selection.keys.size < total && (
        <Button kind="quiet" onClick={selection.selectAll}>
          {text.selectAll(total)}
        </Button>
      )}
      <Button kind="quiet" onClick={selection.clear}>
        {text.clearSelection}
      </Button>
      {metricsAddress !== null && <LinkButton href={metricsAddress}>{text.viewMetrics}</LinkButton>}
      <Menu
        items={[
          { text: maintenanceFor.hour, run: maintain(1) },
          { text: maintenanceFor.four, run: maintain(4) },
          { text: maintenanceFor.day, run: maintain(24) },
          { text: maintenanceFor.open, run: () => change.run({ action: "startMaintenance" }) },
          { text: text.stopMaintenance, run: () => change.run({ action: "stopMaintenance" }) },
        ]}
      >
        {text.maintenance}
      </Menu>
      <Button isBusy={change.isRunning} onClick={() => setDialog("tag")}>
        {text.tag}
      </Button>
      <Button kind="danger" isBusy={change.isRunning} onClick={() => setDialog("delete")}>
        {text.delete}
      </Button>
      {dialog === "tag" && <TagDialog count={count} onClose={close} onChange={change.run} />}
      {dialog === "delete" && (
        <DeleteDialog
          count={count}
          onClose={close}
          onDelete={() => {
            change.run({ action: "delete" })
            selection.clear()
          }}
        />
      )}
    </div>
  )
}

function filterOf(fqns: readonly string[]): string {
  const values = fqns.map((fqn) => ({ text: fqn, match: "equal" }) as const)
  return printFilter([{ isNot: false, field: { kind: "fqn" }, values }])
}

/** Explore with a filter; null for one that does not fit an address. */
function exploreFilterAddress(filter: string): string | null {
  if (filter.length > filterLengthMax) return null
  return printAddress(["explore"], new URLSearchParams(filter === "" ? [] : [["f", filter]]))
}

function useChange(target: BulkTarget, onChanged: () => void) {
  const { api, toasts } = useApp()
  const [isRunning, setRunning] = useState(false)
  const run = (change: BulkChange): void => {
    setRunning(true)
    changeElements(api, target, change)
      .then(
        ({ changed, failures, failed }) => {
          if (failures === 0) toasts.show(text.changed(changed))
          else toasts.show(text.failed(failures, failed[0]?.error ?? ""), "error")
          onChanged()
        },
        (error: Error) => toasts.show(error.message, "error"),
      )
      .finally(() => setRunning(false))
  }
  return { isRunning, run }
}
