/** Schemas of answers that are lists and single values without a printer of their own. */

import { listOf, optional, record, text, described, uuid, wholeNumber } from "../answer.ts"
import { elementRecord, foundElementRecord } from "../elements/element-document.ts"
import { foundMetricRecord, metricRecord } from "../metric-document.ts"
import { pageAnswer } from "../page.ts"

export const metricPageAnswer = pageAnswer(foundMetricRecord)
export const elementPageAnswer = pageAnswer(foundElementRecord)

const counted = { fieldValue: text, count: wholeNumber }
export const countedValueRecord = record({
  ...counted,
  values: described(
    optional(listOf(record(counted))),
    "Of a tag or attribute: the values that it has",
  ),
})
export const aggregationsAnswer = record({ aggregations: listOf(countedValueRecord) })

export const fqnsAnswer = record({ fqns: listOf(text) })
export const metricsAnswer = record({ metrics: listOf(metricRecord) })
export const elementAnswer = record({ element: elementRecord })
export const elementsAnswer = record({ elements: listOf(foundElementRecord) })
export const elementIdsAnswer = record({ ids: listOf(uuid) })
export const namePreviewAnswer = record({ preview: text })
