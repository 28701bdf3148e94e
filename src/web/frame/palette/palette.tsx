/**
 * The command palette: one field that finds elements, metrics, tags, views and commands. The arrows
 * move, Enter opens, Ctrl Enter opens in a new tab, Escape closes. `>` finds commands only, `@`
 * elements, `#` tags. Empty, it has the places that were opened last.
 */

import type { TargetedKeyboardEvent } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import magnifier from "heroicons/20/solid/magnifying-glass.svg"
import { search, searchLengthMax } from "../../api/search.ts"
import { visibleText } from "../../format/visible-text.ts"
import { Button } from "../../parts/button.tsx"
import { Dialog } from "../../parts/dialog.tsx"
import { Icon } from "../../parts/icon.tsx"
import { basePath, openTab } from "../../platform/location.ts"
import { after } from "../../platform/timers.ts"
import { useApp } from "../app.ts"
import { text } from "./text.ts"
import { useHotkeys } from "../use-hotkeys.ts"
import { useLoaded } from "../use-loaded.ts"
import style from "./palette.module.css"
import { commandEntries, readQuery, resultEntries, type PaletteEntry } from "./palette-items.ts"
import { noteRecent, recentEntries } from "./recent-places.ts"

/** The button of the top bar, and the key that opens the palette from everywhere. */
export function PaletteOpener() {
  const [isOpen, setOpen] = useState(false)
  const run = (): void => setOpen(true)
  useHotkeys([{ keys: "mod+k", text: text.key, group: "everywhere", run, whileTyping: true }])
  return (
    <>
      <span class={style["opener"]}>
        <Button
          icon={magnifier}
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K"
          onClick={() => setOpen(true)}
        >
          <span class={style["openerText"]}>{text.opener}</span>
          <kbd>Ctrl K</kbd>
        </Button>
      </span>
      {isOpen && (
        <Dialog
          title={text.title}
          closeName={text.close}
          shape="palette"
          onClose={() => setOpen(false)}
        >
          <Palette onEnd={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

/** Results of each kind: three kinds fit a small screen. */
const resultsOfKind = 6
/** After the last key, so that a word is one request. */
const typedMs = 150

function Palette({ onEnd }: { readonly onEnd: () => void }) {
  const { navigation } = useApp()
  const id = useId()
  const [typed, setTyped] = useState("")
  const [marked, setMarked] = useState(0)
  const { entries, note } = useEntries(typed)
  useEffect(() => setMarked(0), [typed])
  const current = Math.min(marked, entries.length - 1)
  const open = (entry: PaletteEntry, inNewTab: boolean): void => {
    noteRecent(entry)
    onEnd()
    if (entry.address === null) entry.run?.()
    else if (inNewTab) openTab(basePath() + entry.address)
    else navigation.push(entry.address)
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    const entry = entries[current]
    if (step !== 0 && entries.length > 0) {
      event.preventDefault()
      setMarked((current + step + entries.length) % entries.length)
    } else if (event.key === "Enter" && entry !== undefined && !event.isComposing) {
      event.preventDefault()
      open(entry, event.ctrlKey || event.metaKey)
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
}

function useEntries(typed: string): FoundEntries {
  const { api, hotkeys } = useApp()
  const [settled, setSettled] = useState("")
  useEffect(() => after(typedMs, () => setSettled(typed)), [typed])
  const asked = readQuery(settled)
  const isAsked = asked.text !== "" && asked.kinds.length > 0
  const key = isAsked ? `${asked.kinds.join(",")} ${asked.text}` : null
  const found = useLoaded(key, (signal) =>
    search(api, { q: asked.text, kinds: asked.kinds, limit: resultsOfKind }, signal),
  )
  const { hasCommands, text: searched } = readQuery(typed)
  if (typed.trim() === "") return { entries: recentEntries(), note: text.hint }
  const commands = hasCommands ? commandEntries(hotkeys.all, searched) : []
  // Results of a former text stay until those of this one are there.
  const results = searched !== "" && found.value !== null ? resultEntries(found.value) : []
  const entries = typed.startsWith(">") ? commands : [...results, ...commands]
  if (found.error !== null && isAsked) return { entries, note: found.error.message }
  const isWaiting = found.isLoading || settled !== typed
  if (entries.length === 0 && isWaiting) return { entries, note: text.loading }
  return { entries, note: text.found(entries.length) }
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
