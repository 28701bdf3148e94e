/** A bar on every page if a part of the fleet fell silent: without alerts that looks like health. */

import { readSilences, type Silence } from "../../api/overview.ts"
import { shortTimeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { wholeText } from "../../format/words.ts"
import { chosenTerm } from "../../url/filter-completion.ts"
import { addressWithShared } from "../../url/shared-parameters.ts"
import { useApp } from "../app.ts"
import { text } from "../text.ts"
import { useLoaded } from "../use-loaded.ts"
import style from "./silence-bar.module.css"
import { useReloadOn } from "./use-live.ts"

export default function SilenceBar() {
  const { api, clock, preferences } = useApp()
  const { value, reload } = useLoaded("silences", (signal) => readSilences(api, signal))
  useReloadOn(["cycle"], reload)
  const [first, ...more] = value ?? []
  if (first === undefined) return null
  const time = shortTimeText(first.since, clock.nowMs(), preferences.timeStyle.value)
  return (
    <div class={style["bar"]} role="status">
      <span dir="auto">
        {sentenceOf(first, time)}
        {more.length > 0 && text.silentTypes(more.length)}
      </span>
      <a href={addressWithShared("inventory", { f: filterOf(first) })}>{text.showSilent}</a>
    </div>
  )
}

function sentenceOf({ type, silent, total }: Silence, time: string): string {
  return type === null
    ? text.silentElements(wholeText(silent), wholeText(total), time)
    : text.silentType(wholeText(silent), visibleText(type), time)
}

function filterOf({ type }: Silence): string {
  const silent = chosenTerm({ kind: "status" }, "noData")
  return type === null ? silent : `${silent} ${chosenTerm({ kind: "type" }, type)}`
}
