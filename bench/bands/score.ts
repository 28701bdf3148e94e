/** The score's figures on labelled series. */

import { cyclesPerDay } from "../../src/model/resolution.ts"
import { createCycleBands, createCycleInputs } from "../../src/analysis/columns.ts"
import { ElementAnalysis } from "../../src/analysis/element-analysis.ts"
import { InMemoryModel } from "../../src/analysis/in-memory-model.ts"
import { CycleScore } from "../../src/analysis/score.ts"
import { normal, type Series } from "./series.ts"

export function scoresOf(values: Float64Array): Float64Array {
  const analysis = new ElementAnalysis()
  const memory = new InMemoryModel(1)
  const inputs = createCycleInputs(1)
  const bands = createCycleBands(1)
  const score = new CycleScore(1)
  return Float64Array.from(values, (value, cycle) => {
    inputs.actual[0] = value
    analysis.begin(cycle)
    analysis.step(inputs, memory.columnsOf(cycle), bands, { from: 0, to: 1 }, undefined)
    return score.step(inputs.actual, bands)
  })
}

export interface ScoreFigures {
  /** Share of normal cycles with a score of at least the threshold. */
  readonly falseShare: number
  /** Share of anomalies of which a cycle in their first half hour reaches it. */
  readonly found: number
}

/** Figures at a threshold from a day on; cycles up to an hour behind an anomaly are not normal. */
export function evaluateScores(
  series: Series,
  scores: Float64Array,
  threshold: number,
): ScoreFigures {
  let normals = 0
  let falseAlarms = 0
  const after = new Uint8Array(scores.length)
  for (const [, to] of series.spans) after.fill(1, to, to + 12)
  for (let c = cyclesPerDay; c < scores.length; c++) {
    if (series.labels[c] !== normal || after[c] === 1) continue
    normals++
    if (scores[c]! >= threshold) falseAlarms++
  }
  const found = series.spans.filter(([from, to]) =>
    scores.subarray(from, Math.min(to, from + 6)).some((score) => score >= threshold),
  )
  return { falseShare: falseAlarms / normals, found: found.length / series.spans.length }
}
