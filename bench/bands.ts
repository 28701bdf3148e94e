/**
 * How well bands and score separate anomalies from normal cycles, compared with simpler methods.
 *
 *     node --import tsx bench/bands.ts
 */

import { cyclesPerDay } from "../src/model/resolution.ts"
import { byBaseline, byRollingMean, byStaticThreshold, type Method } from "./bands/methods.ts"
import { anomalous, scoredFromDay, kinds, makeSeries, normal, type Series } from "./bands/series.ts"
import { measureCost } from "./bands/cost.ts"
import { heldOutKinds, evaluateHeldOut } from "./bands/held-out.ts"
import { evaluateScores, scoresOf } from "./bands/score.ts"
import { markdownTable } from "./table.ts"

const seeds = [1, 2, 3]
const heldOutSeeds = [101, 102, 103]

interface Count {
  hits: number
  falseAlarms: number
  misses: number
}

function judge(series: Series, method: Method): Count {
  const marks = method(series.values)
  const count = { hits: 0, falseAlarms: 0, misses: 0 }
  for (let c = scoredFromDay * cyclesPerDay; c < marks.length; c++) {
    const label = series.labels[c]
    if (label === anomalous && marks[c] === 1) count.hits++
    else if (label === anomalous) count.misses++
    else if (label === normal && marks[c] === 1) count.falseAlarms++
  }
  return count
}

function sum(counts: readonly Count[]): Count {
  const total = { hits: 0, falseAlarms: 0, misses: 0 }
  for (const { hits, falseAlarms, misses } of counts) {
    total.hits += hits
    total.falseAlarms += falseAlarms
    total.misses += misses
  }
  return total
}

/** Precision, recall and their harmonic mean. */
function figures({ hits, falseAlarms, misses }: Count): string {
  const precision = hits / (hits + falseAlarms)
  const recall = hits / (hits + misses)
  const f1 = (2 * hits) / (2 * hits + falseAlarms + misses)
  return [precision, recall, f1].map((x) => (Number.isNaN(x) ? " –  " : x.toFixed(2))).join(" / ")
}

const methods = [byBaseline, byStaticThreshold, byRollingMean]
const rows: string[][] = []
const totals: Count[][] = methods.map(() => [])
for (const kind of kinds) {
  const list = seeds.map((seed) => makeSeries(kind, seed))
  const counts = methods.map((method) => sum(list.map((series) => judge(series, method))))
  if (kind.isPatterned) counts.forEach((count, i) => totals[i]!.push(count))
  rows.push([kind.name, ...counts.map(figures)])
}
rows.push(["all with a pattern", ...totals.map((counts) => figures(sum(counts)))])
console.log("Cycles that deviate: precision / recall / F1\n")
console.log(markdownTable(["series", "baseline 4σ", "static threshold", "rolling mean ± 4σ"], rows))

console.log(
  "\nThe score: share of normal cycles and of anomalies' first half hours that reach it\n",
)
const thresholds = [0.9, 0.99, 0.999, 0.9999]
const scoreRows = kinds.map((kind) => {
  const list = seeds.map((seed) => makeSeries(kind, seed))
  const scored = list.map((series) => ({ series, scores: scoresOf(series.values) }))
  const cells = thresholds.map((threshold) => {
    const all = scored.map(({ series, scores }) => evaluateScores(series, scores, threshold))
    const mean = (pick: (f: (typeof all)[number]) => number) =>
      all.reduce((total, f) => total + pick(f), 0) / all.length
    const falseShare = (100 * mean((f) => f.falseShare)).toFixed(3)
    return `${falseShare} % / ${(100 * mean((f) => f.found)).toFixed(0)} %`
  })
  return [kind.name, ...cells]
})
console.log(markdownTable(["series", ...thresholds.map(String)], scoreRows))

console.log(
  "\nThe same of series that nothing was tuned on; found: in the first hour or ten values\n",
)
const heldOutRows = heldOutKinds.map((kind) => {
  const cells = thresholds.map((threshold) => {
    const all = heldOutSeeds.map((seed) => evaluateHeldOut(kind, seed, scoresOf, threshold))
    const falseShare = all.reduce((total, f) => total + f.falseShare, 0) / all.length
    const found = all.reduce((total, f) => total + f.found, 0) / all.length
    const foundText = kind.onsets.length === 0 ? "–" : `${(100 * found).toFixed(0)} %`
    return `${(100 * falseShare).toFixed(2)} % / ${foundText}`
  })
  return [kind.name, ...cells]
})
console.log(markdownTable(["series", ...thresholds.map(String)], heldOutRows))

console.log("\nCost of a step, a part of 12,800 series at a time\n")
const costRows = (await measureCost(500)).map((cost) => [
  cost.name,
  cost.microsecondsPerMetric.toFixed(3),
  cost.bytesPerMetric.toFixed(0),
])
console.log(markdownTable(["element", "µs a metric", "bytes a metric"], costRows))
