/** The answer of `/elements/{id}/metrics` (spec/queries §7). */

import { formatInstantSeconds } from "../../base/iso8601.ts"
import { sparseStrategies } from "../../model/sparse-strategy.ts"
import { flag, instant, listOf, numberOrNull, oneOf, orNull, record } from "../answer.ts"
import { text, uuid } from "../answer.ts"
import { sampleFieldsRecord } from "../statistics/samples-result.ts"
import { jsonPieces, jsonText, type JsonText } from "../json.ts"

export const metricMetaRecord = record({
  id: uuid,
  fqn: text,
  state: record({
    baselined: flag,
    correlated: flag,
    created: instant,
    updated: orNull(instant),
    lastActual: numberOrNull,
    historicalMin: numberOrNull,
    historicalMax: numberOrNull,
    lastResults: sampleFieldsRecord,
  }),
  configuration: record({
    validmin: numberOrNull,
    validmax: numberOrNull,
    sparsedatastrategy: oneOf(sparseStrategies),
  }),
})

export const metricMetaAnswer = record({ id: uuid, metricMeta: listOf(metricMetaRecord) })

export interface MetricMetaResult {
  /** Of the element. */
  readonly id: string
  readonly metrics: readonly MetricMeta[]
}

export interface MetricMeta {
  readonly id: string
  readonly fqn: string
  readonly createdMs: number
  readonly sparseDataStrategy: string
  /** Ends that a package set, or null. */
  readonly validMin: number | null
  readonly validMax: number | null
  /** Whether the bands are on for the metric. */
  readonly baseline: boolean
  readonly correlation: boolean
  /** null if it has no values. */
  readonly history: MetricHistory | null
}

export interface MetricHistory {
  /** Start of the last bucket. */
  readonly updatedMs: number
  readonly lastActual: number
  readonly min: number
  readonly max: number
  /** The fields of the last bucket. */
  readonly lastResults: Readonly<Partial<Record<string, number>>>
}

export function printMetricMeta({ id, metrics }: MetricMetaResult): JsonText {
  const print = (metric: MetricMeta) => JSON.stringify(metaDocument(metric))
  return jsonPieces(`{"id":${jsonText(id)},"metricMeta":`, metrics, print, "}")
}

function metaDocument(metric: MetricMeta) {
  const { id, fqn, createdMs, history } = metric
  return {
    id,
    fqn,
    state: {
      baselined: metric.baseline,
      correlated: metric.correlation,
      created: formatInstantSeconds(createdMs),
      updated: history === null ? null : formatInstantSeconds(history.updatedMs),
      lastActual: history?.lastActual ?? null,
      historicalMin: history?.min ?? null,
      historicalMax: history?.max ?? null,
      lastResults: history?.lastResults ?? {},
    },
    configuration: {
      validmin: metric.validMin,
      validmax: metric.validMax,
      sparsedatastrategy: metric.sparseDataStrategy,
    },
  }
}
