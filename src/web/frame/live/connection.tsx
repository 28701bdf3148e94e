/** The state of the stream in words, in the status line. */

import { shortTimeText } from "../../format/times.ts"
import { useApp } from "../app.ts"
import { text } from "../text.ts"
import style from "./connection.module.css"

export function Connection() {
  const { live, clock, preferences } = useApp()
  const state = live.state.value
  if (state.kind === "lost" && state.isStale) {
    const times = preferences.timeStyle.value
    return (
      <span class={style["stale"]} role="status">
        {text.staleSince(shortTimeText(state.sinceMs, clock.nowMs(), times))}
      </span>
    )
  }
  if (state.kind !== "connected") return <span>{text.connecting}</span>
  return (
    <span>
      <span class={style["dot"]} aria-hidden="true" /> {text.connected}
    </span>
  )
}
