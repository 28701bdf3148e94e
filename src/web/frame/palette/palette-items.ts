/** Entries of the palette: commands of the page and results. */

import {
  searchKinds,
  type SearchItem,
  type SearchKind,
  type SearchResults,
} from "../../api/search-answer.ts"
import { printAddress } from "../../url/address.ts"
import { metricAddress } from "../../url/explore-address.ts"
import { printFilter } from "../../url/filter-language.ts"
import {
  absoluteRange,
  parseDayTime,
  type RangeText,
  type TimeContext,
} from "../../url/time-range.ts"
import { text } from "./text.ts"

export interface PaletteEntry {
  /** Different for each entry. */
  readonly key: string
  /** Heading above the first entry of the group. */
  readonly group: string
  readonly title: string
  /** Next to the title. */
  readonly detail: string
  /** Keys that do the same. */
  readonly keys: string | null
  /** Below /app/; null for a command. */
  readonly address: string | null
  readonly run: (() => void) | null
}

/** A typed text: what is searched, and where. */
export interface PaletteQuery {
  readonly text: string
  readonly kinds: readonly SearchKind[]
  readonly hasCommands: boolean
}

/** `>` commands only, `@` elements, `#` tags, `:` a time. */
export function readQuery(typed: string): PaletteQuery {
  const rest = typed.slice(1).trim()
  if (typed.startsWith(":")) return { text: "", kinds: [], hasCommands: false }
  if (typed.startsWith(">")) return { text: rest, kinds: [], hasCommands: true }
  if (typed.startsWith("@")) return { text: rest, kinds: ["elements"], hasCommands: false }
  if (typed.startsWith("#")) return { text: rest, kinds: ["tags"], hasCommands: false }
  return { text: typed.trim(), kinds: searchKinds, hasCommands: true }
}

/** A key of the page, as far as the palette shows it (frame/hotkeys.ts). */
export interface PageCommand {
  readonly keys: string
  readonly text: string
  readonly group: string
  readonly run: () => void
}

/** Keys of the page as commands, those with all words of the text. */
export function commandEntries(hotkeys: readonly PageCommand[], searched: string): PaletteEntry[] {
  const words = searched.toLowerCase().split(/\s+/)
  return hotkeys
    .filter(({ text: name, group }) => {
      const isCommand = group === "everywhere" || group === "page"
      return isCommand && words.every((word) => name.toLowerCase().includes(word))
    })
    .map(({ keys, text: name, run }) => ({
      key: `command ${keys}`,
      group: text.commands,
      title: name,
      detail: "",
      keys,
      address: null,
      run,
    }))
}

export function resultEntries(results: SearchResults): PaletteEntry[] {
  return searchKinds.flatMap((kind) => {
    const found = results[kind]
    if (found === undefined) return []
    const { total, isPartial, items } = found
    const group = text.kinds[kind](total, isPartial)
    return items.map((item) => ({
      key: `${kind} ${item.id}`,
      group,
      title: item.title,
      detail: detailOf(item),
      keys: null,
      address: addressOf(kind, item),
      run: null,
    }))
  })
}

/** Length of the range around a time. */
const aroundMs = 30 * 60_000

export interface TimeEntryInput extends TimeContext {
  /** The text after the colon: `yesterday 14:00`, `14:05`, `2026-11-20 14:05`, `now-2d`. */
  readonly typed: string
  readonly timeText: (ms: number) => string
  readonly show: (range: RangeText) => void
}

/** Ranges around a time and from it to now; none if the text is no time. */
export function timeEntries({ typed, timeText, show, ...context }: TimeEntryInput): PaletteEntry[] {
  const ms = parseDayTime(typed, context)
  if (ms === undefined) return []
  const entry = (key: string, title: string, range: RangeText): PaletteEntry => ({
    key: `time ${key}`,
    group: text.times,
    title,
    detail: "",
    keys: null,
    address: null,
    run: () => show(range),
  })
  const around = absoluteRange({ startMs: ms - aroundMs, endMs: ms + aroundMs })
  const since = { from: String(Math.round(ms)), to: "now" }
  const entries = [entry("around", text.around(timeText(ms)), around)]
  return ms < context.nowMs
    ? [...entries, entry("since", text.since(timeText(ms)), since)]
    : entries
}

function detailOf({ subtitle, elements }: SearchItem): string {
  const counted = elements === undefined ? "" : text.elements(elements)
  return [subtitle, counted].filter((part) => part !== "").join(" · ")
}

function addressOf(kind: SearchKind, { link, tag, id }: SearchItem): string {
  if (kind === "elements") return printAddress(["elements", link.id ?? id])
  if (kind === "metrics") return metricAddress(id)
  if (kind === "tags") return inventoryWithTag(tag ?? { name: id, value: "" })
  return printAddress([link.page], new URLSearchParams(link.id ?? ""))
}

/** The inventory with one term of the filter. */
function inventoryWithTag({ name, value }: { readonly name: string; readonly value: string }) {
  const values = value === "" ? [] : [{ text: value, match: "equal" } as const]
  const f = printFilter([{ isNot: false, field: { kind: "tag", key: name }, values }])
  return printAddress(["inventory"], new URLSearchParams({ f }))
}
