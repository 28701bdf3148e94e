/** Copies of what is shown, as text. */

import { fullValueText } from "../../format/numbers.ts"
import type { ChartLine } from "../../chart/model.ts"
import { text } from "./text.ts"

const columns = ["last", "min", "avg", "max", "p95"] as const

/** The statistics of the lines as a Markdown table, with all digits. */
export function markdownTable(lines: readonly ChartLine[]): string {
  const head = [text.name, ...columns]
  const rows = lines.map(({ name, unit, summary }) => [
    name.replace(/[\\|]/g, "\\$&").replace(/\s+/g, " "),
    ...columns.map((column) => fullValueText(summary[column], unit)),
  ])
  const rule = head.map((_, i) => (i === 0 ? "---" : "---:"))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

/**
 * The values of the lines as CSV (RFC 4180): a row for each line and time, ISO times, all digits.
 * Times without any value are left out.
 */
export function csvText(lines: readonly ChartLine[]): string {
  const rows = lines.flatMap(({ name, unit, columns: { start, step }, values, envelope }) =>
    values.flatMap((value, i) => {
      if (value === null) return []
      const time = new Date(start + i * step).toISOString()
      const cells = [time, name, unit, value, envelope?.low[i] ?? value, envelope?.high[i] ?? value]
      return [cells.map(csvCell).join(",")]
    }),
  )
  return ["time,line,unit,actual,low,high", ...rows, ""].join("\r\n")
}

/** Quoted if it has to be; a text that a spreadsheet would run begins with an apostrophe. */
function csvCell(value: string | number): string {
  if (typeof value === "number") return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
