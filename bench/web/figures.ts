/** Figures of the pages with their goals, and the table of a run. */

import { markdownTable, shortNumber } from "../table.ts"

export interface WebFigure {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** The value may be this at most. */
  readonly goal: number
  readonly note?: string
}

export function isKept({ value, goal }: WebFigure): boolean {
  return value <= goal
}

export function figureTable(figures: readonly WebFigure[]): string {
  const rows = figures.map((figure) => {
    const { what, value, unit, goal, note = "" } = figure
    const verdict = isKept(figure) ? "kept" : "short"
    return [what, withUnit(value, unit), `≤ ${withUnit(goal, unit)}`, verdict, note]
  })
  return markdownTable(["what", "measured", "goal", "verdict", "note"], rows)
}

function withUnit(value: number, unit: string): string {
  if (unit === "ms") return `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`
  if (unit === "B") return `${shortNumber(value)}B`.replace(/(\d)B$/, "$1 B")
  return Number.isInteger(value) ? String(value) : shortNumber(value)
}

/** The value below which a part of all lies; NaN of none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
