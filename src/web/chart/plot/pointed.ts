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

interface FoundRow {
  readonly row: PlotRow
  /** Distance from the top. */
  readonly top: number
  readonly value: number
}

/** Where the pointer is; without one the line `focusId`, or the topmost, is the nearest. */
export interface PointedAt {
  readonly top: number | null
  readonly focusId: string | null
}

/**
 * The rows of each column in the order in which they lie below each other, kept from the first time
 * that the column is pointed at: with 1,000 rows the nearest is found in 10 steps.
 */
export class PointedColumns {
  private readonly rows: readonly PlotRow[]
  private readonly topOf: (row: PlotRow, index: number) => number | null
  private readonly columns = new Map<number, readonly FoundRow[]>()

  /** `topOf` gives the distance of a row's value from the top. */
  constructor(rows: readonly PlotRow[], topOf: (row: PlotRow, index: number) => number | null) {
    this.rows = rows.filter(({ areas }) => areas !== null)
    this.topOf = topOf
  }

  /** Forgets the columns: values lie elsewhere now. */
  clear(): void {
    this.columns.clear()
  }

  pointed(index: number, where: PointedAt): Pointed {
    return pointedIn(this.column(index), index, where)
  }

  /** How many values lie from one distance from the top to another, and how many there are. */
  countBetween(index: number, from: number, to: number): { within: number; all: number } {
    const found = this.column(index)
    return { within: found.filter(({ top }) => top >= from && top < to).length, all: found.length }
  }

  /** The row whose value is the nearest, at most `farthest` away; null for none. */
  nearest(index: number, top: number, farthest: number): PlotRow | null {
    const found = this.column(index)
    const nearest = found[nearestTo(found, top)]
    return nearest !== undefined && Math.abs(nearest.top - top) <= farthest ? nearest.row : null
  }

  private column(index: number): readonly FoundRow[] {
    const known = this.columns.get(index)
    if (known !== undefined) return known
    const found = this.rows
      .flatMap((row) => {
        const [top, value] = [this.topOf(row, index), row.values[index] ?? null]
        return top === null || value === null ? [] : [{ row, top, value }]
      })
      .sort((a, b) => a.top - b.top)
    this.columns.set(index, found)
    return found
  }
}

function pointedIn(found: readonly FoundRow[], index: number, where: PointedAt): Pointed {
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

function nearestOf(found: readonly FoundRow[], { top, focusId }: PointedAt): number {
  if (top !== null) return nearestTo(found, top)
  return Math.max(
    0,
    found.findIndex(({ row }) => row.line.id === focusId),
  )
}

/** Index of the nearest of rows in ascending order; 0 if there is none. */
function nearestTo(found: readonly FoundRow[], top: number): number {
  let [low, high] = [0, found.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (found[middle]!.top < top) low = middle + 1
    else high = middle
  }
  if (low === 0) return 0
  const isAbove = low === found.length || top - found[low - 1]!.top <= found[low]!.top - top
  return isAbove ? low - 1 : low
}

function bandsAt({ areas }: PlotRow, value: number, index: number): PointedLine["bands"] {
  return (areas?.bands ?? []).flatMap((band) => {
    const [lower, upper] = [band.lower[index] ?? null, band.upper[index] ?? null]
    if (lower === null || upper === null) return []
    return [{ kind: band.kind, lower, upper, isOutside: isOutside(value, [band], index) }]
  })
}
