/** Places that were opened from the palette lately, kept in this browser. */

import * as v from "valibot"
import { keep, readKept } from "../../platform/storage.ts"
import type { PaletteEntry } from "./palette-items.ts"
import { text } from "./text.ts"

const recentMax = 8
const recentSchema = v.array(
  v.object({ title: v.string(), detail: v.string(), address: v.string() }),
)
const recentName = "recent"

/** Places that were opened from the palette, the newest first. */
export function recentEntries(): PaletteEntry[] {
  return readRecent().map((one) => ({
    ...one,
    key: `recent ${one.address}`,
    group: text.recent,
    keys: null,
    run: null,
  }))
}

export function noteRecent({ title, detail, address }: PaletteEntry): void {
  if (address === null) return
  const others = readRecent().filter((one) => one.address !== address)
  keep(recentName, JSON.stringify([{ title, detail, address }, ...others].slice(0, recentMax)))
}

function readRecent(): v.InferOutput<typeof recentSchema> {
  try {
    const kept = v.safeParse(recentSchema, JSON.parse(readKept(recentName) ?? "[]"))
    return kept.success ? kept.output.slice(0, recentMax) : []
  } catch {
    return []
  }
}
