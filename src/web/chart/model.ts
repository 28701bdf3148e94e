/** The data of a chart: lines over columns of time, as a page makes them of an answer. */

import type { PercentileName, SeriesColumns, SeriesSummary } from "../api/series-answer.ts"

export type Values = readonly (number | null)[]

export type BandKind = "baseline" | "contextual"

export interface ChartBand {
  readonly kind: BandKind
  readonly lower: Values
  readonly upper: Values
}

export interface ChartLine {
  /** Its colour follows it. */
  readonly id: string
  /** Element and metric (api/statistics.ts); null for a line of several series. */
  readonly series: string | null
  /** Distinct within the chart. */
  readonly name: string
  /** Code of the metric's unit. */
  readonly unit: string
  readonly columns: SeriesColumns
  readonly values: Values
  /** Values over a longer time, on columns as wide: drawn while the chart is panned. */
  readonly known?: { readonly columns: SeriesColumns; readonly values: Values }
  /** Least and greatest of each column; null if it was not asked for. */
  readonly envelope: { readonly low: Values; readonly high: Values } | null
  readonly bands: readonly ChartBand[]
  readonly percentiles: Readonly<{ [Name in PercentileName]?: Values | undefined }>
  readonly summary: SeriesSummary
  /** Index of colour and dash (series-colours.ts). */
  readonly tone: number
}

export type ChartShape = "lines" | "area" | "stacked" | "heat"

/** More are drawn by a worker: redrawing them takes longer than a frame. */
export const drawnLinesMax = 60
/** As many as a query of the server shows at most. */
export const denseLinesMax = 1_000
/** Areas of more lines cover each other; beyond, those of the pointed line are shown. */
export const areaLinesMax = 3
/** Bins of values of a heat map: some 10 pixels each. */
export const heatBins = 40

/** A stack of more lines shows none of them. */
export function linesMaxOf(shape: ChartShape): number {
  return shape === "stacked" ? drawnLinesMax : denseLinesMax
}

/** Axes of a chart: left and right; a heat map has one. */
export function unitsMaxOf(shape: ChartShape): number {
  return shape === "heat" ? 1 : 2
}

/** Units in the order of their lines. */
export function unitsOf(lines: readonly ChartLine[]): string[] {
  return [...new Set(lines.map(({ unit }) => unit))]
}

type ColumnLine = Pick<ChartLine, "columns">

export interface JoinedColumns {
  /** Epoch milliseconds, ascending. */
  readonly times: readonly number[]
  /** Of a line's values to the times; undefined if a time is none of its columns. */
  spread(line: ColumnLine, values: Values): (number | null | undefined)[]
}

/** The times of all lines; lines of one answer have the same ones. */
export function joinColumns(lines: readonly ColumnLine[]): JoinedColumns {
  const nameOf = ({ start, step, count }: SeriesColumns) => `${start} ${step} ${count}`
  const grids = new Map(lines.map(({ columns }) => [nameOf(columns), columns]))
  const timesOf = ({ start, step, count }: SeriesColumns): number[] =>
    Array.from({ length: count }, (_, i) => start + i * step)
  const all = [...grids.values()].flatMap(timesOf)
  const times = grids.size > 1 ? [...new Set(all)].sort((a, b) => a - b) : all
  const spread = ({ columns }: ColumnLine, values: Values): (number | null | undefined)[] => {
    if (grids.size === 1 && grids.has(nameOf(columns))) return [...values]
    const { start, step, count } = columns
    return times.map((ms) => {
      const i = (ms - start) / step
      return Number.isInteger(i) && i >= 0 && i < count ? (values[i] ?? null) : undefined
    })
  }
  return { times, spread }
}

/** Sums of the values up to each line; missing ones count as nothing, and stay gaps of their line. */
export function stacked(
  rows: readonly (readonly (number | null | undefined)[])[],
): (number | null)[][] {
  const sums = Array.from({ length: rows[0]?.length ?? 0 }, () => 0)
  return rows.map((row) =>
    row.map((value, i) => {
      if (value === null || value === undefined) return null
      return (sums[i] = sums[i]! + value)
    }),
  )
}

/** Least and greatest of what is drawn; least above greatest if there is no value. */
export function extremesOf(rows: readonly Iterable<number | null | undefined>[]): {
  readonly least: number
  readonly greatest: number
} {
  let [least, greatest] = [Infinity, -Infinity]
  for (const row of rows) {
    for (const value of row) {
      if (value === null || value === undefined) continue
      if (value < least) least = value
      if (value > greatest) greatest = value
    }
  }
  return { least, greatest }
}
