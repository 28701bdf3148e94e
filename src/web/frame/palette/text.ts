/** Words of the palette, in English. */

import type { SearchKind } from "../../api/search-answer.ts"
import { wholeText } from "../../format/words.ts"

const total = (count: number, isPartial: boolean) => `${wholeText(count)}${isPartial ? "+" : ""}`
type CountedText = (count: number, isPartial: boolean) => string

export const text = {
  title: "Search or jump",
  opener: "Search or jump…",
  key: "Search or jump",
  close: "Close",
  placeholder: "Search elements, metrics, tags and commands",
  hint: "> commands   @ elements   # tags   Enter opens, Ctrl Enter in a new tab",
  loading: "Searching",
  recent: "Opened lately",
  commands: "Commands",
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
