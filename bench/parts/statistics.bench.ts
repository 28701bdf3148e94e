/** Statistics of two weeks of PT5M values of many elements, by selection and by sorting. */

import { StatisticsWorkspace, statisticsOf } from "../../src/rollup/statistics.ts"
import { type BenchSize, randomFrom, streams } from "./populations.ts"
import type { Parts } from "./part.ts"

const valuesPerSeries = 4032

export function register(parts: Parts, size: BenchSize): void {
  const seriesCount = size === "small" ? 10 : 1000
  for (const name of ["noise", "latency", "tail", "constant", "doubles"] as const) {
    registerPopulation(parts, name, seriesCount)
  }
}

function registerPopulation(
  parts: Parts,
  name: "noise" | "latency" | "tail" | "constant" | "doubles",
  seriesCount: number,
): void {
  const next = streams[name](randomFrom(3)) as () => number
  const population = Array.from({ length: Math.min(seriesCount, 50) }, () =>
    Float64Array.from({ length: valuesPerSeries }, () => next()),
  )
  const series = (index: number) => population[index % population.length]!
  const scratch = new StatisticsWorkspace()
  const of = { items: seriesCount * valuesPerSeries, unit: "values" }
  let answer: number[] = []
  parts.add({
    name: `statistics: two weeks of ${name}`,
    ...of,
    run: () => {
      for (let s = 0; s < seriesCount; s++) {
        const found = statisticsOf(series(s), valuesPerSeries, scratch)
        if (s === seriesCount - 1) answer = Object.values(found ?? {})
      }
    },
    answer: () => answer,
  })
  if (name !== "noise") return
  const sorted = new Float64Array(valuesPerSeries)
  const sortAll = () => {
    for (let s = 0; s < seriesCount; s++) {
      sorted.set(series(s))
      sorted.sort()
    }
  }
  parts.add({ name: "sort alone: two weeks of noise", ...of, run: sortAll, answer: () => sorted })
}
