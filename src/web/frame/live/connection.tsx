/** Whether the server is there, in words, in the status line. */

import { shortTimeText } from "../../format/times.ts"
import { useApp } from "../app.ts"
import { text } from "../text.ts"
import style from "./connection.module.css"

export function Connection() {
  const { live, contact } = useApp()
  const state = live.state.value
  const silentSince = contact.silentSince.value
  if (state.kind === "lost" && state.isStale) {
    return <Stale since={silentSince ?? state.sinceMs} words={text.staleSince} />
  }
  if (silentSince !== null) return <Stale since={silentSince} words={text.silentSince} />
  if (state.kind !== "connected") return <span>{text.connecting}</span>
  return (
    <span>
      <span class={style["dot"]} aria-hidden="true" /> {text.connected}
    </span>
  )
}

interface StaleProps {
  /** By the server's clock. */
  readonly since: number
  readonly words: (time: string) => string
}

function Stale({ since, words }: StaleProps) {
  const { clock, preferences } = useApp()
  const time = shortTimeText(since, clock.nowMs(), preferences.timeStyle.value, true)
  return (
    <span class={style["stale"]} role="status">
      {words(time)}
    </span>
  )
}
