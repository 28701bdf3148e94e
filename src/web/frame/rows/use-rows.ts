/**
 * Rows of a long list: pages of 200 that are fetched when they come into sight, and the next one
 * ahead. Another list, by its key, drops what was fetched; the rows of the former one stay in sight
 * until the first page is there. Another round of the same list replaces page by page.
 */

import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { isAborted } from "../../api/client.ts"
import { useOnReturn } from "../live/use-live.ts"
import { text } from "../text.ts"

export const pageRows = 200

/** Pages that are kept: 4,000 rows. */
const keptPagesMax = 20

export interface RowPage<Row, More = unknown> {
  readonly rows: readonly Row[]
  readonly total: number
  /** Facts of the whole list. */
  readonly more?: More
}

export interface Rows<Row, More = unknown> {
  /** Null before the first answer. */
  readonly total: number | null
  /** Those of the newest page. */
  readonly more: More | undefined
  /** The rows are those of the former list: the first page of this one is on its way. */
  readonly isFormer: boolean
  readonly error: Error | null
  readonly isLoading: boolean
  /** Ends the fetches that are on their way, as ones that failed. */
  readonly cancel: () => void
  /** The row, or undefined while it is fetched. */
  row(index: number): Row | undefined
  /** Rows from `first` to before `end` are in sight. */
  show(first: number, end: number): void
}

interface Kept<Row, More> {
  readonly key: string
  readonly total: number | null
  readonly more: More | undefined
  readonly pages: ReadonlyMap<number, readonly Row[]>
  readonly error: Error | null
}

/** A list, and how many times it was fetched before. */
interface List {
  readonly key: string
  readonly round: number
}

interface Asked extends List {
  /** Pages of this round: on their way, or fetched. */
  readonly pages: Map<number, "open" | "fetched">
  readonly abort: AbortController
}

function newAsked(list: List): Asked {
  return { ...list, pages: new Map(), abort: new AbortController() }
}

type FetchPage<Row, More> = (page: number, signal: AbortSignal) => Promise<RowPage<Row, More>>

/** `round`: another number fetches the same list again. */
export function useRows<Row, More = unknown>(
  key: string,
  fetchPage: FetchPage<Row, More>,
  round = 0,
): Rows<Row, More> {
  const [kept, setKept] = useState(() => nothingKept<Row, More>(key))
  const [sight, setSight] = useState({ first: 0, end: 1 })
  const [open, setOpen] = useState(0)
  const [returns, setReturns] = useState(0)
  useOnReturn(() => {
    if (kept.error !== null) setReturns(returns + 1)
  })
  const asked = useRef(newAsked({ key, round }))
  if (asked.current.key !== key || asked.current.round !== round) {
    asked.current.abort.abort()
    asked.current = newAsked({ key, round })
  }
  useEffect(() => () => asked.current.abort.abort(), [])
  useEffect(() => {
    const { pages, abort } = asked.current
    const isOther = kept.key !== key
    const last = isOther || kept.total === null ? 0 : Math.ceil(kept.total / pageRows) - 1
    const from = isOther ? 0 : Math.floor(sight.first / pageRows)
    const to = isOther ? 0 : Math.min(last, Math.floor(sight.end / pageRows) + 1)
    for (let page = from; page <= Math.max(from, to); page++) {
      const state = pages.get(page)
      // A page that was fetched and is not kept any more is fetched again.
      if (state === "open" || (state === "fetched" && kept.pages.has(page))) continue
      pages.set(page, "open")
      setOpen((count) => count + 1)
      fetchPage(page, abort.signal)
        .then(
          (found) => {
            if (abort.signal.aborted) return
            pages.set(page, "fetched")
            setKept((former) => withPage(former, { key, page, found }))
          },
          (error: unknown) => {
            pages.delete(page)
            if (isAborted(error) || abort.signal.aborted) return
            const problem = error instanceof Error ? error : new Error(String(error))
            setKept((former) => ({ ...former, error: problem }))
          },
        )
        .finally(() => setOpen((count) => count - 1))
    }
  }, [key, round, sight, kept.key, kept.total, returns])
  return useMemo(
    () => ({
      total: kept.total,
      more: kept.more,
      isFormer: kept.key !== key && kept.total !== null,
      error: kept.error,
      isLoading: open > 0,
      cancel() {
        asked.current.abort.abort()
        asked.current = newAsked({ key, round })
        setKept((former) => ({ ...former, error: new Error(text.cancelled) }))
      },
      row: (index) => kept.pages.get(Math.floor(index / pageRows))?.[index % pageRows],
      show(first, end) {
        if (first !== sight.first || end !== sight.end) setSight({ first, end })
      },
    }),
    [kept, key, round, open, sight],
  )
}

function nothingKept<Row, More>(key: string): Kept<Row, More> {
  return { key, total: null, more: undefined, pages: new Map(), error: null }
}

function withPage<Row, More>(
  former: Kept<Row, More>,
  { key, page, found }: { readonly key: string; page: number; readonly found: RowPage<Row, More> },
): Kept<Row, More> {
  const pages = new Map(former.key === key ? former.pages : [])
  pages.set(page, found.rows)
  for (const oldest of pages.keys()) {
    if (pages.size <= keptPagesMax) break
    if (Math.abs(oldest - page) > 1) pages.delete(oldest)
  }
  return { key, total: found.total, more: found.more, pages, error: null }
}
