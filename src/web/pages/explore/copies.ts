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
