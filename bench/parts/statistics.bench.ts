/** Statistics of two weeks of PT5M values of many elements, by selection and by sorting. */

import type { Bench } from "tinybench"
import { StatisticsScratch, statisticsOf } from "../../src/rollup/statistics.ts"
import { type BenchSize, randomFrom, streams } from "./populations.ts"

const valuesPerSeries = 4032

export function register(bench: Bench, size: BenchSize): void {
  const seriesCount = size === "small" ? 10 : 1000
  const scratch = new StatisticsScratch()
  const title = `${seriesCount} × ${valuesPerSeries}`
  for (const name of ["noise", "latency", "tail", "constant", "doubles"] as const) {
    const next = streams[name](randomFrom(3))
    const population = Array.from({ length: Math.min(seriesCount, 50) }, () =>
      Float64Array.from({ length: valuesPerSeries }, () => next()),
    )
    const series = (index: number) => population[index % population.length]!
    bench.add(`statistics: ${title} of ${name}`, () => {
      for (let s = 0; s < seriesCount; s++) statisticsOf(series(s), valuesPerSeries, scratch)
    })
    if (name !== "noise") continue
    const sorted = new Float64Array(valuesPerSeries)
    bench.add(`statistics: ${title} of ${name}, only sorted`, () => {
      for (let s = 0; s < seriesCount; s++) {
        sorted.set(series(s))
        sorted.sort()
      }
    })
  }
}
