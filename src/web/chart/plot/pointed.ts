/** The lines next to a cursor: the nearest, and its neighbours in the order of their values. */

import { isOutside } from "./line-areas.ts"
import type { ChartLine } from "../model.ts"
import type { PlotRow } from "./plot-input.ts"

export interface PointedLine {
  readonly line: ChartLine
  readonly colour: string
  readonly value: number
  readonly isNearest: boolean
  /** The band of the line there, and whether the value is outside. */
  readonly bands: readonly {
    readonly kind: "baseline" | "contextual"
    readonly lower: number
    readonly upper: number
    readonly isOutside: boolean
  }[]
}

export interface Pointed {
  readonly lines: readonly PointedLine[]
  /** Lines with a value there that are not listed. */
  readonly others: number
}

/** The nearest and seven more fit next to a cursor. */
const pointedMax = 8

/**
 * `topOf` gives the distance of a row's value from the top, `top` that of the pointer. Without a
 * pointer the line `focusId`, or the topmost, is the nearest.
 */
export function pointedLines(
  rows: readonly PlotRow[],
  index: number,
  where: {
    readonly top: number | null
    readonly focusId: string | null
    readonly topOf: (row: PlotRow) => number | null
  },
): Pointed {
  const own = rows.filter(({ areas }) => areas !== null)
  const found = own
    .flatMap((row) => {
      const [top, value] = [where.topOf(row), row.values[index] ?? null]
      return top === null || value === null ? [] : [{ row, top, value }]
    })
    .sort((a, b) => a.top - b.top)
  if (found.length === 0) return { lines: [], others: 0 }
  const nearest = nearestOf(found, where)
  const first = Math.max(0, Math.min(nearest - pointedMax / 2, found.length - pointedMax))
  const shown = found.slice(first, first + pointedMax)
  return {
    others: found.length - shown.length,
    lines: shown.map(({ row, value }, i) => ({
      line: row.line,
      colour: row.colour,
      value,
      isNearest: first + i === nearest,
      bands: bandsAt(row, value, index),
    })),
  }
}

function nearestOf(
  found: readonly { readonly row: PlotRow; readonly top: number }[],
  { top, focusId }: { readonly top: number | null; readonly focusId: string | null },
): number {
  if (top === null) {
    return Math.max(
      0,
      found.findIndex(({ row }) => row.line.id === focusId),
    )
  }
  const distances = found.map((one) => Math.abs(one.top - top))
  return distances.reduce((best, distance, i) => (distance < distances[best]! ? i : best), 0)
}

function bandsAt({ areas }: PlotRow, value: number, index: number): PointedLine["bands"] {
  return (areas?.bands ?? []).flatMap((band) => {
    const [lower, upper] = [band.lower[index] ?? null, band.upper[index] ?? null]
    if (lower === null || upper === null) return []
    return [{ kind: band.kind, lower, upper, isOutside: isOutside(value, [band], index) }]
  })
}
