/**
 * The command palette: one field that finds elements, metrics, tags, views and commands. The arrows
 * move, Enter opens, Ctrl Enter opens in a new tab, Escape closes. `>` finds commands only, `@`
 * elements, `#` tags, `:` goes to a time. Empty, it has the places that were opened last.
 */

import { useEffect, useId, useRef, useState } from "preact/hooks"
import { search, searchLengthMax } from "../../api/search.ts"
import { timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useMark } from "../../parts/combobox/use-mark.ts"
import { basePath, openTab } from "../../platform/location.ts"
import { after } from "../../platform/timers.ts"
import { useApp } from "../app.ts"
import { text } from "./text.ts"
import { useLoaded } from "../use-loaded.ts"
import style from "./palette.module.css"
import { addressWithShared } from "../../url/shared-parameters.ts"
import type { RangeText } from "../../url/time-range.ts"
import {
  commandEntries,
  readQuery,
  resultEntries,
  timeEntries,
  type PaletteEntry,
} from "./palette-items.ts"
import { PaletteField } from "./palette-field.tsx"
import { noteRecent, recentEntries } from "./recent-places.ts"

/** Results of each kind: three kinds fit a small screen. */
const resultsOfKind = 6
/** After the last key, so that a word is one request. */
const typedMs = 150

/** Enter was pressed before the results of what is typed were there. */
interface AwaitedEntry {
  readonly inNewTab: boolean
}

export interface PaletteProps {
  /** Whether the page shows a range of time. */
  readonly hasRange: boolean
  /** They are kept outside, since the field takes keys before this module is there. */
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly awaited: AwaitedEntry | null
  readonly onAwait: (awaited: AwaitedEntry) => void
  /** Closes the palette, and then runs a command. */
  readonly onEnd: (command: (() => void) | null) => void
}

export default function Palette(props: PaletteProps) {
  const { hasRange, typed, onType, awaited, onAwait, onEnd } = props
  const { navigation } = useApp()
  const id = useId()
  const { entries, note, isFormer } = useEntries(typed, hasRange)
  const keys = entries.map(({ key }) => key)
  const [marked, mark] = useMark(typed, keys)
  // Without a mark Enter opens the first.
  const current = Math.min(Math.max(marked, 0), entries.length - 1)
  const open = (entry: PaletteEntry, inNewTab: boolean): void => {
    noteRecent(entry)
    onEnd(entry.run)
    if (entry.address === null) return
    if (inNewTab) openTab(basePath() + entry.address)
    else navigation.push(entry.address)
  }
  const enter = (inNewTab: boolean): void => {
    const entry = entries[current]
    if (isFormer) onAwait({ inNewTab })
    else if (entry !== undefined) open(entry, inNewTab)
  }
  useEffect(() => {
    if (awaited !== null && !isFormer) enter(awaited.inNewTab)
  }, [awaited, isFormer])
  const list = { id: `${id}-list`, currentId: `${id}-${current}` }
  return (
    <>
      <PaletteField
        typed={typed}
        maxLength={searchLengthMax}
        onType={onType}
        onEnter={enter}
        onStep={(step) => {
          const { length } = entries
          if (length > 0) mark((current + step + length) % length)
        }}
        list={entries.length > 0 ? list : null}
      />
      <EntryList id={id} entries={entries} current={current} onOpen={open} />
      <p class={style["note"]} role="status">
        {note}
      </p>
    </>
  )
}

interface FoundEntries {
  readonly entries: readonly PaletteEntry[]
  /** How many there are, or why there are none; announced. */
  readonly note: string
  /** They are, in part, of a former text: nothing is opened before those of this one are there. */
  readonly isFormer: boolean
}

function useEntries(typed: string, hasRange: boolean): FoundEntries {
  const { api, hotkeys } = useApp()
  const times = useTimes(typed, hasRange)
  const [settled, setSettled] = useState("")
  useEffect(() => after(typedMs, () => setSettled(typed)), [typed])
  const asked = readQuery(settled)
  const isAsked = asked.text !== "" && asked.kinds.length > 0
  const key = isAsked ? `${asked.kinds.join(",")} ${asked.text}` : null
  const found = useLoaded(key, async (signal) => {
    const request = { q: asked.text, kinds: asked.kinds, limit: resultsOfKind }
    return { key, results: await search(api, request, signal) }
  })
  const { hasCommands, text: searched } = readQuery(typed)
  if (typed.trim() === "") return { entries: recentEntries(), note: text.hint, isFormer: false }
  if (times !== null) return times
  const commands = hasCommands ? commandEntries(hotkeys.all, searched) : []
  // Results of a former text stay until those of this one are there.
  const results = searched !== "" && found.value !== null ? resultEntries(found.value.results) : []
  const entries = typed.startsWith(">") ? commands : [...results, ...commands]
  if (found.error !== null && isAsked) {
    return { entries, note: found.error.message, isFormer: false }
  }
  const isWaiting = found.isLoading || settled !== typed
  const isFormer =
    searched !== "" && !typed.startsWith(">") && (isWaiting || found.value?.key !== key)
  if (entries.length === 0 && isWaiting) return { entries, note: text.loading, isFormer }
  return { entries, note: text.found(entries.length), isFormer }
}

/** Ranges of a typed time; null without a colon. */
function useTimes(typed: string, hasRange: boolean): FoundEntries | null {
  const { navigation, clock, ranges } = useApp()
  if (!typed.startsWith(":")) return null
  const style = ranges.current.value.style
  const show = (range: RangeText): void => {
    // Explore shows one.
    if (hasRange) ranges.show(range)
    else navigation.push(addressWithShared("explore", range))
  }
  const entries = timeEntries({
    typed: typed.slice(1),
    nowMs: clock.nowMs(),
    zone: style.zone,
    timeText: (ms) => timeText(ms, style),
    show,
  })
  const note = entries.length === 0 ? text.timeForms : text.found(entries.length)
  return { entries, note, isFormer: false }
}

interface EntryListProps {
  readonly id: string
  readonly entries: readonly PaletteEntry[]
  readonly current: number
  readonly onOpen: (entry: PaletteEntry, inNewTab: boolean) => void
}

function EntryList({ id, entries, current, onOpen }: EntryListProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ ["block"]: "nearest" })
  }, [current, entries])
  return (
    <ul ref={list} id={`${id}-list`} class={style["list"]} role="listbox" aria-label={text.title}>
      {entries.map((entry, i) => {
        const { key, group, title, detail, keys } = entry
        const isFirst = group !== entries[i - 1]?.group
        return [
          isFirst && (
            <li key={group} class={style["group"]} role="presentation">
              {group}
            </li>
          ),
          <li
            key={key}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === current}
            class={style["option"]}
            onClick={(event) => onOpen(entry, event.ctrlKey || event.metaKey)}
          >
            <span class={style["title"]} dir="auto">
              {visibleText(title)}
            </span>
            <span class={style["detail"]} dir="auto">
              {visibleText(detail)}
            </span>
            {keys !== null && <kbd>{keys.replace("mod+", "Ctrl ")}</kbd>}
          </li>,
        ]
      })}
    </ul>
  )
}
