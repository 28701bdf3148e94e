/** The newest closed cycle and the time of the data, in the status line. */

import { clockText, durationText } from "../../format/times.ts"
import { useApp } from "../app.ts"
import { DataTime } from "./data-time.tsx"
import style from "./data-time.module.css"
import { text } from "./text.ts"
import { useServerStatus } from "./use-server-status.ts"

export function CycleAndData() {
  const { preferences } = useApp()
  const status = useServerStatus()
  if (status === null) return null
  const { lastClosed, tookMs } = status.cycle
  const time = clockText(Date.parse(lastClosed), preferences.timeStyle.value)
  return (
    <>
      <span class={style["cycle"]}>
        {tookMs === null ? text.cycleWithoutTime(time) : text.cycle(time, durationText(tookMs))}
      </span>
      <DataTime status={status} />
    </>
  )
}
