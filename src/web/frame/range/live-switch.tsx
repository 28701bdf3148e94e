/**
 * The switch of live pages: a range that moves with the clock is loaded again after each cycle, but
 * not under the pointer: then as soon as it has left. `l` switches.
 */

import pause from "heroicons/20/solid/pause.svg"
import play from "heroicons/20/solid/play.svg"
import { useEffect, useRef } from "preact/hooks"
import { Button } from "../../parts/button.tsx"
import { isIdle } from "../../platform/page.ts"
import { after } from "../../platform/timers.ts"
import { useApp } from "../app.ts"
import { useReloadOn } from "../live/use-live.ts"
import { text } from "../text.ts"
import { useHotkeys } from "../use-hotkeys.ts"

/** Charts and rows that are read, and forms that are filled in. */
const readElements = "figure, tbody, [role=dialog]"
/** Between two looks whether the pointer has left. */
const waitMs = 1_000

export function LiveSwitch() {
  const { ranges } = useApp()
  const isLive = ranges.live.value
  useRefetch(isLive === true)
  const run = (): void => ranges.switchLive()
  useHotkeys([{ keys: "l", text: text.range.keys.live, group: "everywhere", run }])
  if (isLive === null) return null
  return (
    <Button
      kind="quiet"
      icon={isLive ? pause : play}
      iconName={isLive ? text.range.pause : text.range.resume}
      onClick={() => ranges.switchLive()}
    />
  )
}

function useRefetch(isLive: boolean): void {
  const { ranges } = useApp()
  const cancel = useRef(() => {})
  const refetch = (): void => {
    cancel.current()
    if (isIdle(readElements)) ranges.refetch()
    else cancel.current = after(waitMs, refetch)
  }
  useReloadOn(["cycle"], refetch, isLive)
  useEffect(() => () => cancel.current(), [isLive])
}
