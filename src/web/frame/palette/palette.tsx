/**
 * The command palette: one field that finds elements, metrics, tags, views and commands. The arrows
 * move, Enter opens, Ctrl Enter opens in a new tab, Escape closes. `>` finds commands only, `@`
 * elements, `#` tags, `:` goes to a time. Empty, it has the places that were opened last.
 */

import type { TargetedKeyboardEvent } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import magnifier from "heroicons/20/solid/magnifying-glass.svg"
import { search, searchLengthMax } from "../../api/search.ts"
import { timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { Icon } from "../../parts/icon.tsx"
import { useStateOf } from "../../parts/use-state-of.ts"
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
import { noteRecent, recentEntries } from "./recent-places.ts"

/** Results of each kind: three kinds fit a small screen. */
const resultsOfKind = 6
/** After the last key, so that a word is one request. */
const typedMs = 150

interface PaletteProps {
  /** Whether the page shows a range of time. */
  readonly hasRange: boolean
  readonly onEnd: () => void
}

export default function Palette({ hasRange, onEnd }: PaletteProps) {
  const { navigation } = useApp()
  const id = useId()
  const [typed, setTyped] = useState("")
  const { entries, note, isFormer } = useEntries(typed, hasRange)
  /** Enter was pressed before the results of what is typed were there. */
  const [awaited, setAwaited] = useStateOf<{ readonly inNewTab: boolean } | null>(typed, null)
  const keys = entries.map(({ key }) => key)
  const [marked, mark] = useMark(typed, keys)
  // Without a mark Enter opens the first.
  const current = Math.min(Math.max(marked, 0), entries.length - 1)
  const open = (entry: PaletteEntry, inNewTab: boolean): void => {
    noteRecent(entry)
    onEnd()
    if (entry.address === null) entry.run?.()
    else if (inNewTab) openTab(basePath() + entry.address)
    else navigation.push(entry.address)
  }
  useEffect(() => {
    const entry = entries[current]
    if (awaited !== null && !isFormer && entry !== undefined) open(entry, awaited.inNewTab)
  }, [awaited, isFormer])
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    const entry = entries[current]
    if (step !== 0 && entries.length > 0) {
      event.preventDefault()
      mark((current + step + entries.length) % entries.length)
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault()
      const inNewTab = event.ctrlKey || event.metaKey
      if (isFormer) setAwaited({ inNewTab })
      else if (entry !== undefined) open(entry, inNewTab)
    }
  }
  return (
    <>
      <div class={style["field"]}>
        <Icon paths={magnifier} />
        <input
          class={style["input"]}
          role="combobox"
          aria-label={text.title}
          aria-autocomplete="list"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={entries.length > 0 ? `${id}-${current}` : undefined}
          placeholder={text.placeholder}
          autocomplete="off"
          spellcheck={false}
          maxLength={searchLengthMax}
          dir="auto"
          value={typed}
          ref={(field) => field?.focus()}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
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
