/** Words of the palette, in English. */

import type { SearchKind } from "../../api/search-answer.ts"
import { wholeText } from "../../format/words.ts"

const total = (count: number, isPartial: boolean) => `${wholeText(count)}${isPartial ? "+" : ""}`
type CountedText = (count: number, isPartial: boolean) => string

export const text = {
  title: "Search or jump",
  hint: [
    "> commands   @ elements   # tags   : a time, such as :yesterday 14:00",
    "Enter opens, Ctrl Enter in a new tab",
  ].join("   "),
  loading: "Searching",
  recent: "Opened lately",
  commands: "Commands",
  times: "Times",
  around: (time: string) => `Half an hour before and after ${time}`,
  since: (time: string) => `From ${time} to now`,
  timeForms: "A time: yesterday 14:00, 14:05, 2026-11-20 14:05, now-2d",
  kinds: {
    elements: (count, isPartial) => `Elements (${total(count, isPartial)})`,
    metrics: (count, isPartial) => `Metrics (${total(count, isPartial)})`,
    tags: (count, isPartial) => `Tags (${total(count, isPartial)})`,
    views: (count, isPartial) => `Saved views (${total(count, isPartial)})`,
  } satisfies Record<SearchKind, CountedText>,
  elements: (count: number) => (count === 1 ? "1 element" : `${wholeText(count)} elements`),
  found: (count: number) =>
    count === 0 ? "Nothing has this name." : count === 1 ? "1 result" : `${count} results`,
}
