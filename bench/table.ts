/** Figures as text: markdown tables and numbers that a person can compare. */

/** A markdown table whose columns are also aligned in a terminal. */
export function markdownTable(head: readonly string[], rows: readonly string[][]): string {
  const widths = head.map((title, i) =>
    Math.max(...[title, ...rows.map((row) => row[i]!)].map(width)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell + " ".repeat(widths[i]! - width(cell))).join(" | ")} |`
  return [line(head), line(widths.map((w) => "-".repeat(w))), ...rows.map(line)].join("\n")
}

const width = (text: string): number => [...text].length

/** Three significant digits, with k, M or G from a thousand on: 1.53 M, 214 k, 3.07. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return "–"
  if (value === 0) return "0"
  const [divisor, suffix] = scales.find(([from]) => Math.abs(value) >= from) ?? [1, ""]
  const scaled = value / divisor
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(scaled), 0.01))))
  return `${scaled.toFixed(Math.min(decimals, 3))}${suffix}`
}

const scales: readonly (readonly [number, string])[] = [
  [1e9, " G"],
  [1e6, " M"],
  [1e3, " k"],
]
