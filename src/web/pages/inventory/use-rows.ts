/**
 * Rows of a long list: pages of 200 that are fetched when they come into sight, and the next one
 * ahead. Another list, by its key, drops what was fetched; the rows of the former one stay in sight
 * until the first page is there.
 */

import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { isAborted } from "../../api/client.ts"

export const pageRows = 200

/** Pages that are kept: 4,000 rows. */
const keptPagesMax = 20

export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

export interface Rows<Row> {
  /** Null before the first answer. */
  readonly total: number | null
  readonly error: Error | null
  readonly isLoading: boolean
  /** The row, or undefined while it is fetched. */
  row(index: number): Row | undefined
  /** Rows from `first` to before `end` are in sight. */
  show(first: number, end: number): void
}

interface Kept<Row> {
  readonly key: string
  readonly total: number | null
  readonly pages: ReadonlyMap<number, readonly Row[]>
  readonly error: Error | null
}

type FetchPage<Row> = (page: number, signal: AbortSignal) => Promise<RowPage<Row>>

export function useRows<Row>(key: string, fetchPage: FetchPage<Row>): Rows<Row> {
  const [kept, setKept] = useState<Kept<Row>>({ key, total: null, pages: new Map(), error: null })
  const [sight, setSight] = useState({ first: 0, end: 1 })
  const [open, setOpen] = useState(0)
  const asked = useRef({ key, pages: new Set<number>(), abort: new AbortController() })
  if (asked.current.key !== key) {
    asked.current.abort.abort()
    asked.current = { key, pages: new Set(), abort: new AbortController() }
  }
  useEffect(() => () => asked.current.abort.abort(), [])
  useEffect(() => {
    const { pages, abort } = asked.current
    const isOther = kept.key !== key
    const last = isOther || kept.total === null ? 0 : Math.ceil(kept.total / pageRows) - 1
    const from = isOther ? 0 : Math.floor(sight.first / pageRows)
    const to = isOther ? 0 : Math.min(last, Math.floor(sight.end / pageRows) + 1)
    for (let page = from; page <= Math.max(from, to); page++) {
      if (pages.has(page)) continue
      pages.add(page)
      setOpen((count) => count + 1)
      fetchPage(page, abort.signal)
        .then(
          (found) => setKept((former) => withPage(former, { key, page, found })),
          (error: unknown) => {
            pages.delete(page)
            if (isAborted(error) || abort.signal.aborted) return
            const problem = error instanceof Error ? error : new Error(String(error))
            setKept((former) => ({ ...former, key, error: problem }))
          },
        )
        .finally(() => setOpen((count) => count - 1))
    }
  }, [key, sight, kept.key, kept.total])
  return useMemo(
    () => ({
      total: kept.total,
      error: kept.error,
      isLoading: open > 0,
      row: (index) => kept.pages.get(Math.floor(index / pageRows))?.[index % pageRows],
      show(first, end) {
        if (first !== sight.first || end !== sight.end) setSight({ first, end })
      },
    }),
    [kept, open, sight],
  )
}

function withPage<Row>(
  former: Kept<Row>,
  { key, page, found }: { readonly key: string; page: number; readonly found: RowPage<Row> },
): Kept<Row> {
  const pages = new Map(former.key === key ? former.pages : [])
  pages.set(page, found.rows)
  for (const oldest of pages.keys()) {
    if (pages.size <= keptPagesMax) break
    if (Math.abs(oldest - page) > 1) pages.delete(oldest)
  }
  return { key, total: found.total, pages, error: null }
}
