/**
 * Windowed rows: of a long list of rows of one height only those in sight are drawn, between two
 * spacers. 20,000 rows take some 60 elements.
 */

import { useEffect, useState } from "preact/hooks"
import { beforePaint } from "../platform/timers.ts"

/** Rows above and below the sight, so that a turn of the wheel shows no gap. */
const spareRows = 12

export interface WindowOfRows {
  readonly first: number
  /** After the last one. */
  readonly end: number
  readonly rowHeight: number
}

/** The rows in sight of a scrolled element; `rowHeight` in pixels. */
export function useRowWindow(
  holder: { readonly current: HTMLElement | null },
  count: number,
  rowHeight: number,
): WindowOfRows {
  const [sight, setSight] = useState({ top: 0, height: 800 })
  useEffect(() => {
    const element = holder.current
    if (element === null) return undefined
    let cancel = (): void => {}
    const read = (): void => {
      cancel()
      cancel = beforePaint(() => setSight({ top: element.scrollTop, height: element.clientHeight }))
    }
    read()
    const observer = new ResizeObserver(read)
    observer.observe(element)
    element.addEventListener("scroll", read, { passive: true })
    return () => {
      cancel()
      observer.disconnect()
      element.removeEventListener("scroll", read)
    }
  }, [count === 0])
  const first = Math.max(0, Math.floor(sight.top / rowHeight) - spareRows)
  const end = Math.min(count, Math.ceil((sight.top + sight.height) / rowHeight) + spareRows)
  return { first: Math.min(first, Math.max(0, count - 1)), end, rowHeight }
}

interface SpacerRowProps {
  /** Rows that are not drawn. */
  readonly rows: number
  readonly rowHeight: number
  readonly class: string | undefined
  /** Columns of the table, if the layout of its rows depends on them. */
  readonly columns?: number
}

/** The room of rows that are not drawn. */
export function SpacerRow({ rows, rowHeight, columns, ...props }: SpacerRowProps) {
  if (rows <= 0) return null
  return (
    <tr aria-hidden="true" class={props.class} style={{ height: `${rows * rowHeight}px` }}>
      <td colSpan={columns} />
    </tr>
  )
}
