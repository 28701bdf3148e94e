/** Words and bounds of parameters, for the description of the API. */

import { recordFields } from "../store/query-store.ts"
import { elementTerms } from "./elements/element-terms.ts"

export { relationshipLevelsMax } from "../base/limits/queries.ts"
export { aggregations } from "../rollup/group-aggregator.ts"
export { crossElementStatistics as acrossStatistics } from "./statistics/cross-element-statistic.ts"

export const elementTermNames = Object.keys(elementTerms)
/** Fields of samples as `aggregations` names them. */
export const sampleFieldNames = recordFields.map((field) => field.toUpperCase())
