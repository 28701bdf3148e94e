/** Whether a store answers what the model does. */

import assert from "node:assert/strict"
import { dayMs, type Resolution } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import { pooledStatistics } from "../../src/rollup/pooled-statistics.ts"
import { StatisticsWorkspace } from "../../src/rollup/statistics.ts"
import {
  retentionWatermark,
  retentionMsDefault,
} from "../support/reference-store/memory-retention.ts"
import { askSamples, askStatistics } from "../contract/store-driver.ts"
import { statisticsOfNumbers } from "../support/store/dedup-model.ts"
import { findSeries } from "../support/ingest/samples.ts"
import type { SeriesName } from "../support/ingest/samples.ts"
import type { Model } from "./model.ts"
import { recordText } from "./record-text.ts"
import { allSeries } from "./requests.ts"
import type { SimStore } from "./sim-store.ts"

export interface QueriedRange {
  readonly asked: readonly Resolution[]
  /** Latest moment by which retention may have dropped something. */
  readonly latestMs: number
}

/** Every series, on every day of which the model knows anything and that must still be there. */
export function assertSame(store: SimStore, model: Model, { asked, latestMs }: QueriedRange): void {
  for (const resolution of asked) {
    const horizonMs = retentionWatermark(latestMs, retentionMsDefault[resolution])
    for (const { startMs, endMs } of spansOf(model.days())) {
      const span = { startMs: Math.max(startMs, horizonMs), endMs }
      if (span.startMs >= endMs) continue
      for (const of of allSeries) assertSeries(store, model, { of, resolution, span })
      if (resolution === "ZERO") assertPool(store, model, span)
    }
  }
}

/** Runs of days, oldest first. */
function spansOf(days: ReadonlySet<number>): Span[] {
  const firsts = [...days].filter((day) => !days.has(day - 1)).sort((a, b) => a - b)
  return firsts.map((first) => {
    let end = first
    while (days.has(end)) end++
    return { startMs: first * dayMs, endMs: end * dayMs }
  })
}

/** The same as a predicate. */
export function agrees(store: SimStore, model: Model, asked: QueriedRange): boolean {
  try {
    assertSame(store, model, asked)
    return true
  } catch (error) {
    if (!(error instanceof assert.AssertionError)) throw error
    return false
  }
}

function assertSeries(
  store: SimStore,
  model: Model,
  { of, resolution, span }: { of: SeriesName; resolution: Resolution; span: Span },
): void {
  const series = findSeries(store.writer.catalogue, of)
  const want = model.records(of, resolution, span)
  const got = series < 0 ? [] : askSamples(store, Int32Array.of(series), { resolution, span })[0]!
  assert.deepEqual(got.map(recordText).sort(), want, `${resolution} of ${JSON.stringify(of)}`)
  if (resolution !== "ZERO" || series < 0) return
  const asked = { series: Int32Array.of(series), span, withValues: false, exact: false }
  const [answer] = askStatistics(store, { ...asked, resolution })
  const { count, sum, min, max } = answer?.statistics ?? {}
  const totals = answer === undefined ? null : { count, sum, min, max }
  assert.deepEqual(totals, model.totals(of, span), `totals of ${JSON.stringify(of)}`)
}

/** All series taken together, as `/metrics/statistics/aggregate` does. */
function assertPool(store: SimStore, model: Model, span: Span): void {
  const known = allSeries.filter((of) => findSeries(store.writer.catalogue, of) >= 0)
  const series = Int32Array.from(known, (of) => findSeries(store.writer.catalogue, of))
  const kind = { withValues: false, withObservations: true, exact: false } as const
  const parts = askStatistics(store, { series, span, resolution: "ZERO", ...kind })
  const values = model.observations(known, span)
  assert.equal(parts.length === 0, values.length === 0)
  if (parts.length === 0) return
  const want = statisticsOfNumbers(values)
  const got = pooledStatistics(parts, scratch)
  for (const name of ["count", "sum", "percentile5", "median", "percentile95"] as const) {
    // Between two values percentiles are interpolated, in another form here and there.
    const isSame = Math.abs(got[name] - want[name]) <= 1e-12 * Math.abs(want[name])
    assert.ok(isSame, `${name} of all series: ${got[name]} instead of ${want[name]}`)
  }
}

const scratch = new StatisticsWorkspace()
