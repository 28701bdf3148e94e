/** Pods that come and go: elements that get a value on some days. */

import { dayMs } from "../../../src/model/resolution.ts"
import type { SimStore } from "../../simulation/sim-store.ts"
import {
  append,
  findSeries,
  noonMs,
  plain,
  seriesName,
  type SeriesName,
} from "../../support/ingest/samples.ts"

export function pod(n: number, metric = "cpu"): SeriesName {
  return seriesName(`pod-${n}`, metric)
}

/** Noon of a day. */
export function at(day: number): number {
  return noonMs + day * dayMs
}

/** A sample of each series on this day. */
export function post({ writer }: SimStore, day: number, ...series: SeriesName[]): void {
  append(
    writer,
    series.map((of) => plain(at(day), day, of)),
  )
}

/** Records of a series in `PT24H`, of the day before the first and of that day. */
export function firstDayRecords({ writer, reader }: SimStore, of: SeriesName): number {
  reader.refresh()
  const series = Int32Array.of(findSeries(writer.catalogue, of))
  const span = { startMs: at(-1), endMs: at(1) }
  const [records] = reader.samples(series, { span, resolution: "PT24H" }, null)
  return records!.length
}
