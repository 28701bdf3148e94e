/** A bar on every page if a part of the fleet fell silent: without alerts that looks like health. */

import { useEffect } from "preact/hooks"
import { readSilences } from "../../api/overview/overview.ts"
import type { Silence } from "../../api/overview/overview-answer.ts"
import { shortTimeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { wholeText } from "../../format/words.ts"
import { parseAddress } from "../../url/address.ts"
import { chosenTerm } from "../../url/filter-completion.ts"
import { addressWithShared } from "../../url/shared-parameters.ts"
import { useApp } from "../app.ts"
import { useLoaded } from "../use-loaded.ts"
import style from "./silence-bar.module.css"
import { text } from "./text.ts"
import { useReloadOn } from "./use-live.ts"

export function SilenceBar() {
  const { clock, preferences, silences } = useApp()
  useSilences()
  const [first, ...more] = silences.value ?? []
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

/** Home without a filter asks for the status of all elements, which has their silences. */
function useSilences(): void {
  const { api, navigation, silences } = useApp()
  const { segments, query } = parseAddress(navigation.address.value)
  const isAsked = segments.length > 0 || query.has("f")
  const key = isAsked ? "silences" : null
  const { value, reload } = useLoaded(key, (signal) => readSilences(api, signal))
  useReloadOn(["cycle"], reload, isAsked)
  useEffect(() => {
    if (value !== null) silences.value = value
  }, [value])
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
