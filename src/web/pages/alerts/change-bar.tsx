/** Changes of selected alerts: acknowledge with a note, take that back, close. */

import { Button } from "../../parts/button.tsx"
import style from "../../frame/rows/bulk.module.css"
import type { Selection } from "../../frame/rows/selection.ts"
import { text } from "./text.ts"

export type AlertDialog = "ack" | "close"

export interface ChangeBarProps {
  readonly selection: Selection
  /** Selected alerts. */
  readonly count: number
  /** Alerts that pass. */
  readonly total: number
  readonly isBusy: boolean
  readonly onOpen: (dialog: AlertDialog) => void
  readonly onTakeBack: () => void
}

export function ChangeBar(props: ChangeBarProps) {
  const { selection, count, total, isBusy, onOpen, onTakeBack } = props
  return (
    <div class={style["bulk"]} role="toolbar" aria-label={text.selected(count)}>
      <strong role="status">{text.selected(count)}</strong>
      {count < total && (
        <Button kind="quiet" onClick={selection.selectAll}>
          {text.selectAll(total)}
        </Button>
      )}
      <Button kind="quiet" onClick={selection.clear}>
        {text.clearSelection}
      </Button>
      <Button kind="main" isBusy={isBusy} onClick={() => onOpen("ack")}>
        {text.acknowledge}
      </Button>
      <Button isBusy={isBusy} onClick={onTakeBack}>
        {text.takeBack}
      </Button>
      <Button kind="danger" isBusy={isBusy} onClick={() => onOpen("close")}>
        {text.close}
      </Button>
    </div>
  )
}
