/** The time up to which the account has sent data: how old what pages show is. */

import type { ServerStatus } from "../../api/overview/overview-answer.ts"
import { durationText, shortTimeText } from "../../format/times.ts"
import { useApp } from "../app.ts"
import style from "./data-time.module.css"
import { text } from "./text.ts"

/** Two cycles: collectors send once in a cycle at least. */
const oldMs = 600_000

export function DataTime({ status }: { readonly status: ServerStatus }) {
  const { clock, preferences } = useApp()
  const times = preferences.timeStyle.value
  const nowMs = clock.nowMs()
  const { newestSample } = status.ingest
  const dataMs = Date.parse(newestSample ?? status.started)
  const shown = shortTimeText(dataMs, nowMs, times, true)
  const ageMs = nowMs - dataMs
  if (newestSample === null) {
    return <span class={ageMs > oldMs ? style["old"] : undefined}>{text.noData(shown)}</span>
  }
  if (ageMs <= oldMs) return <span>{text.dataTo(shown)}</span>
  return <span class={style["old"]}>{text.oldDataTo(shown, durationText(ageMs))}</span>
}
