/** The keys of the range: back, on, in, out, now, again, the former one. */

import { panned, zoomedAround } from "../../url/time-range.ts"
import { useApp } from "../app.ts"
import type { Hotkey } from "../hotkeys.ts"
import { useHotkeys } from "../use-hotkeys.ts"
import type { Ranges } from "./ranges.ts"
import { text } from "../text.ts"

/** A step of half a window leaves half of what was seen in sight. */
const step = 0.5
const zoom = 2
const middle = 0.5

export function useRangeKeys(open: () => void): void {
  useHotkeys(rangeKeys(useApp().ranges, open))
}

function rangeKeys(ranges: Ranges, open: () => void): Hotkey[] {
  const names = text.range.keys
  const range = () => ranges.current.peek().range
  const key = (keys: string, name: string, run: () => void): Hotkey => {
    return { keys, text: name, group: "everywhere", run }
  }
  const zoomIn = (): void => ranges.showRange(zoomedAround(range(), middle, 1 / zoom))
  return [
    key("t", names.open, open),
    key("[", names.back, () => ranges.showRange(panned(range(), -step))),
    key("]", names.on, () => ranges.showRange(panned(range(), step))),
    key("-", names.out, () => ranges.showRange(zoomedAround(range(), middle, zoom))),
    key("+", names.in, zoomIn),
    key("=", names.in, zoomIn),
    key("n", names.now, () => showNow(ranges)),
    key("r", names.refetch, () => ranges.refetch()),
    key("mod+z", names.former, () => ranges.showFormer()),
  ]
}

/** A window of the same length that ends now, and moves with the clock. */
function showNow(ranges: Ranges): void {
  const { startMs, endMs } = ranges.current.peek().range
  const minutes = Math.max(1, Math.round((endMs - startMs) / 60_000))
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, "h"] : [minutes, "m"]
  // Five digits are the longest number of a time's text.
  if (count <= 99_999) ranges.show({ from: `now-${count}${unit}`, to: "now" })
}
