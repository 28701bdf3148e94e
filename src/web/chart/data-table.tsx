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
/** More columns than this cannot be read side by side; the CSV has them all. */
const linesMax = 20

export interface DataTableProps {
  readonly title: string
  readonly lines: readonly ChartLine[]
  readonly timeStyle: TimeStyle
  readonly numberStyle: NumberStyle
  readonly onClose: () => void
}

export function DataTable({ title, lines, timeStyle, numberStyle, onClose }: DataTableProps) {
  const shown = lines.slice(0, linesMax)
  const { times, spread } = joinColumns(shown)
  const rows = shown.map((line) => spread(line, line.values))
  const pageCount = Math.max(1, Math.ceil(times.length / rowsPerPage))
  const [asked, setPage] = useState(0)
  const page = Math.min(asked, pageCount - 1)
  const first = page * rowsPerPage
  const pageTimes = times.slice(first, first + rowsPerPage)
  return (
    <div class={style["holder"]}>
      <div class={style["scroll"]} tabIndex={0} role="region" aria-label={text.dataTable(title)}>
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
        <Button disabled={page === 0} onClick={() => setPage(page - 1)}>
          {text.former}
        </Button>
        <span role="status">
          {text.page(first + 1, Math.min(times.length, first + rowsPerPage), times.length)}
        </span>
        <Button disabled={page === pageCount - 1} onClick={() => setPage(page + 1)}>
          {text.next}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {text.closeTable}
        </Button>
      </div>
    </div>
  )
}
