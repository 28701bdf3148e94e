/**
 * The switch of live pages: a range that moves with the clock is loaded again once a minute, and
 * when the tab is shown again, but never under the pointer. `l` switches.
 */

import pause from "heroicons/20/solid/pause.svg"
import play from "heroicons/20/solid/play.svg"
import { useEffect } from "preact/hooks"
import { Button } from "../../parts/button.tsx"
import { isIdle, onVisibility } from "../../platform/page.ts"
import { every } from "../../platform/timers.ts"
import { useApp } from "../app.ts"
import { text } from "../text.ts"

/** A cycle has five minutes; samples of a running one are seen a minute later. */
const liveMs = 60_000
/** Charts and rows that are read, and forms that are filled in. */
const readElements = "figure, tbody, [role=dialog]"

export function LiveSwitch() {
  const { ranges, hotkeys } = useApp()
  const isLive = ranges.live.value
  useEffect(() => {
    if (isLive !== true) return undefined
    const refetch = (): void => {
      if (isIdle(readElements)) ranges.refetch()
    }
    const ends = [every(liveMs, refetch), onVisibility(refetch)]
    return () => {
      for (const end of ends) end()
    }
  }, [isLive])
  useEffect(() => {
    const run = (): void => ranges.switchLive()
    return hotkeys.register([{ keys: "l", text: text.range.keys.live, group: "everywhere", run }])
  }, [hotkeys])
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
