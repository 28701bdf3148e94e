/** Rows with the columns of an export (columns.ts), whatever the format of their file. */

import { assert } from "../../base/assert.ts"
import { epochUnitProblem } from "../../base/epoch-unit.ts"
import { invalid } from "../../base/errors.ts"
import { isObject, type JsonObject } from "../../base/json-value.ts"
import { fieldCnt } from "../../model/sample-batch.ts"
import { rowResolution } from "../columns.ts"
import type { ImportSeries, ImportTarget } from "./import-target.ts"
import { quotedValue } from "./problems.ts"
import type { RowFields } from "./values.ts"

/** Adds rows; remembers the series of the one before. */
export class RowImport {
  private readonly target: ImportTarget
  private element: string | null = null
  private metric = ""
  private series: ImportSeries | null = null

  constructor(target: ImportTarget) {
    this.target = target
  }

  /** Declares what the column `about` of a row says. */
  declare(text: string): void {
    this.target.declare(aboutOf(text))
  }

  /** Adds a row, or counts why it is left out. */
  add(element: string, metric: string, timeMs: number, fields: RowFields): void {
    this.addTo(this.seriesOf(element, metric), timeMs, fields)
  }

  /** Adds a row of the series of the row before, which is in the target. */
  addAgain(timeMs: number, fields: RowFields): void {
    assert(this.series !== null, "Expected a row before")
    this.addTo(this.series, timeMs, fields)
  }

  /** The same of a row that has a rollup: a bucket counts as one sample with aggregates. */
  addBucket(rollup: unknown, row: RowOfSeries): void {
    const resolution = rowResolution(rollup)
    if (resolution === undefined)
      throw invalid(`rollup ${quotedValue(rollup)}: expected PT5M, PT1H, PT24H`)
    const series = this.seriesOf(row.element, row.metric)
    const isBucket = resolution !== "ZERO"
    // A bucket without a sample was filled, or computed.
    if (isBucket && row.fields.values[fieldCnt] === 0) this.target.counts.noObservation++
    else if (isBucket && series.isCounter) this.target.counts.ofCounters++
    else this.addTo(series, row.timeMs, row.fields)
  }

  private addTo(series: ImportSeries, timeMs: number, fields: RowFields): void {
    const isInPeriod = this.target.addIfObserved(series, timeMs, fields)
    if (!isInPeriod) this.target.hint(epochUnitProblem(timeMs))
  }

  private seriesOf(element: string, metric: string): ImportSeries {
    if (this.series === null || element !== this.element || metric !== this.metric) {
      this.series = this.target.seriesOf(element, metric)
      this.element = element
      this.metric = metric
    }
    return this.series
  }
}

export interface RowOfSeries {
  readonly element: string
  readonly metric: string
  readonly timeMs: number
  readonly fields: RowFields
}

function aboutOf(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(`about is no JSON: ${(error as Error).message}`)
  }
  if (isObject(value)) return value
  throw invalid(`about ${quotedValue(text)}: expected a JSON object`)
}
