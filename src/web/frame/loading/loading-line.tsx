/**
 * While something loads: a line at the top of its container after 150 ms, and after 5 s words that
 * tell a long request from a page that hangs. What was there stays.
 */

import { useEffect, useLayoutEffect, useState } from "preact/hooks"
import { shortTimeText } from "../../format/times.ts"
import { Button } from "../../parts/button.tsx"
import { classNames } from "../../parts/class-names.ts"
import { restoreFocus } from "../../platform/focus.ts"
import { after } from "../../platform/timers.ts"
import { useApp } from "../app.ts"
import type { Loaded } from "../loaded.ts"
import { text } from "../text.ts"
import style from "./loading-line.module.css"

/** Faster loads show nothing: a line that flashes disturbs more than it tells. */
const loadingAfterMs = 150

interface LoadingLineProps {
  readonly loading: Pick<Loaded<unknown>, "isLoading" | "cancel">
  readonly text: string
}

export function LoadingLine({ loading: { isLoading, cancel }, text: label }: LoadingLineProps) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isLoading) return setShown(false)
    return after(loadingAfterMs, () => setShown(true))
  }, [isLoading])
  return (
    <>
      <div class={style["holder"]} role="progressbar" aria-label={label} hidden={!isShown}>
        <div class={style["line"]} />
      </div>
      <LongWait {...{ isLoading, cancel }} />
    </>
  )
}

/** Nothing while the status line says that the server does not answer at all. */
function LongWait({ isLoading, cancel }: LoadingLineProps["loading"]) {
  const { contact, clock, preferences } = useApp()
  const [since, setSince] = useState<number | null>(null)
  useEffect(() => {
    setSince(null)
    return isLoading ? contact.watchWait(setSince) : undefined
  }, [isLoading, contact])
  const isLong = since !== null && contact.silentSince.value === null
  const time = () => shortTimeText(since!, clock.nowMs(), preferences.timeStyle.value, true)
  // The button goes with what it cancels.
  useLayoutEffect(() => (isLong ? restoreFocus : undefined), [isLong])
  return (
    <div class={classNames(style["wait"], isLong && style["long"])}>
      <p role="status">{isLong && text.waitingSince(time())}</p>
      {isLong && (
        <Button kind="quiet" onClick={cancel}>
          {text.cancel}
        </Button>
      )}
    </div>
  )
}
