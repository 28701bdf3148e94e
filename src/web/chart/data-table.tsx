/** The values of a chart as a table, 25 times a page, for reading without the picture. */

import { useState } from "preact/hooks"
import { valueText, type NumberStyle } from "../format/numbers.ts"
import { timeText, type TimeStyle } from "../format/times.ts"
import { visibleText } from "../format/visible-text.ts"
import { Button } from "../parts/button.tsx"
import { joinColumns, type ChartLine } from "./model.ts"
import { text } from "./text.ts"
import style from "./data-table.module.css"

const rowsPerPage = 25
/** More columns than this cannot be read side by side. */
const linesPerPage = 20

export interface DataTableProps {
  readonly title: string
  readonly lines: readonly ChartLine[]
  readonly timeStyle: TimeStyle
  readonly numberStyle: NumberStyle
  readonly onClose: () => void
}

export function DataTable({ title, lines, timeStyle, numberStyle, onClose }: DataTableProps) {
  const linePages = usePages(lines.length, linesPerPage)
  const shown = lines.slice(linePages.first, linePages.end)
  const { times, spread } = joinColumns(shown)
  const rows = shown.map((line) => spread(line, line.values))
  const pages = usePages(times.length, rowsPerPage)
  const { first } = pages
  const pageTimes = times.slice(first, first + rowsPerPage)
  return (
    <div class={style["holder"]}>
      <div tabIndex={0} role="region" aria-label={text.dataTable(title)}>
        <table class={style["table"]}>
          <thead>
            <tr>
              <th scope="col">{text.time}</th>
              {shown.map(({ id, name }) => (
                <th key={id} scope="col" class="number" dir="auto">
                  {visibleText(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {pageTimes.map((ms, i) => (
              <tr key={ms}>
                <th scope="row">{timeText(ms, timeStyle)}</th>
                {shown.map(({ id, unit }, column) => (
                  <td key={id} class="number">
                    {valueText(rows[column]![first + i] ?? null, unit, numberStyle)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class={style["pages"]}>
        <Pager pages={pages} former={text.former} next={text.next} words={text.page} />
        {lines.length > linesPerPage && (
          <Pager
            pages={linePages}
            former={text.formerLines}
            next={text.nextLines}
            words={text.lines}
          />
        )}
        <Button kind="quiet" onClick={onClose}>
          {text.closeTable}
        </Button>
      </div>
    </div>
  )
}

interface Pages {
  readonly first: number
  /** After the last one. */
  readonly end: number
  readonly count: number
  /** Shows the page before or after; undefined at the end. */
  readonly former: (() => void) | undefined
  readonly next: (() => void) | undefined
}

function usePages(count: number, perPage: number): Pages {
  const [asked, setPage] = useState(0)
  const last = Math.max(0, Math.ceil(count / perPage) - 1)
  const page = Math.min(asked, last)
  const first = page * perPage
  return {
    first,
    end: Math.min(count, first + perPage),
    count,
    former: page === 0 ? undefined : () => setPage(page - 1),
    next: page === last ? undefined : () => setPage(page + 1),
  }
}

interface PagerProps {
  readonly pages: Pages
  readonly former: string
  readonly next: string
  readonly words: (first: number, last: number, all: number) => string
}

function Pager({ pages, former, next, words }: PagerProps) {
  return (
    <>
      <Button disabled={pages.former === undefined} onClick={() => pages.former?.()}>
        {former}
      </Button>
      <span role="status">{words(pages.first + 1, pages.end, pages.count)}</span>
      <Button disabled={pages.next === undefined} onClick={() => pages.next?.()}>
        {next}
      </Button>
    </>
  )
}
