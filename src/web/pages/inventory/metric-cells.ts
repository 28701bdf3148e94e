/**
 * Values of metrics in rows: of the rows in sight alone, fifty by fifty, so that a list of 20,000
 * elements asks for some hundred series.
 */

import { signal, type ReadonlySignal } from "@preact/signals"
import { useEffect, useMemo, useState } from "preact/hooks"
import { queryNamedSeries } from "../../api/series.ts"
import type { SeriesLine } from "../../api/series-answer.ts"
import { useApp } from "../../frame/app.ts"
import type { Rows } from "../../frame/rows/use-rows.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import type { TimeRange } from "../../url/time-range.ts"

/** By `cellKey`. */
export type MetricCells = ReadonlyMap<string, SeriesLine>

/** Rows that are asked for together: scrolling within them asks nothing. */
const groupRows = 50
/** Points of a spark; the server compares as many columns to put elements in order. */
const sparkPoints = 32
/** With fillings the answer is about buckets, as the order of elements is, and never of raw samples. */
const fields = ["actual", "sparse"] as const

export function cellKey(elementFqn: string, metricFqn: string): string {
  return `${elementFqn} ${metricFqn}`
}

interface NamedSeries {
  readonly elementId: string
  readonly metricId: string
}

export interface MetricCellsOf<Row> {
  /** The series of a row. */
  readonly seriesOf: (row: Row) => readonly NamedSeries[]
  readonly range: TimeRange
  /** Another one when the range was chosen, not when it has moved with the clock. */
  readonly subject: string
  /** Another number asks again. */
  readonly round: number
}

export interface MetricColumnData<Row> {
  /** The rows, which tell what is in sight. */
  readonly rows: Rows<Row>
  readonly cells: ReadonlySignal<MetricCells>
  /** The cells are of another range: those of this one are on their way. */
  readonly isFormer: boolean
  readonly error: Error | null
  readonly reload: () => void
}

export function useMetricCells<Row>(
  rows: Rows<Row>,
  { seriesOf, range, subject, round }: MetricCellsOf<Row>,
): MetricColumnData<Row> {
  const { api } = useApp()
  const [sight, setSight] = useState({ first: 0, end: 0 })
  const cells = useMemo(() => signal<MetricCells>(new Map()), [])
  const series = rowsInSight(rows, sight).flatMap(seriesOf)
  const key = series.length === 0 ? null : JSON.stringify([series, range, round])
  const load = async (abort: AbortSignal): Promise<MetricCells> => {
    const lines = await queryNamedSeries(api, { series, range, width: sparkPoints, fields }, abort)
    return new Map(lines.map((line) => [cellKey(line.elementFqn, line.metricFqn), line]))
  }
  const loaded = useLoaded(key, load, subject)
  useEffect(() => {
    if (loaded.value !== null) cells.value = loaded.value
  }, [loaded.value])
  const watched = useMemo<Rows<Row>>(
    () => ({
      ...rows,
      show(first, end) {
        rows.show(first, end)
        setSight((former) =>
          former.first === first && former.end === end ? former : { first, end },
        )
      },
    }),
    [rows],
  )
  const { error, reload, isFormer } = loaded
  return { rows: watched, cells, isFormer, error, reload }
}

/** The fetched rows of every fifty that are in sight. */
function rowsInSight<Row>(
  rows: Rows<Row>,
  { first, end }: { readonly first: number; readonly end: number },
): Row[] {
  const from = Math.floor(first / groupRows) * groupRows
  const to = Math.min(rows.total ?? 0, Math.ceil(end / groupRows) * groupRows)
  const found = Array.from({ length: Math.max(0, to - from) }, (_, i) => rows.row(from + i))
  return found.filter((row) => row !== undefined)
}
