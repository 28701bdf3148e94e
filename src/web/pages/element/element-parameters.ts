/**
 * Parameters of the page of an element in its address: the tab, and what is shown of its metrics
 * and relations.
 */

import { textParameter, wordParameter, type Definition } from "../../url/parameters.ts"

export const tabNames = [
  "summary",
  "metrics",
  "alerts",
  "policies",
  "relations",
  "details",
] as const

export const metricShapes = ["small", "medium", "large", "table"] as const

/** Relations from the element to the farthest one that is shown. */
export const stepChoices = ["1", "2", "3", "4", "5"] as const

/** Names of metrics are shorter. */
const nameLengthMax = 1_024

export const elementParameters = {
  tab: wordParameter(tabNames, "summary"),
  /** The start of the names that are shown. */
  under: textParameter("", nameLengthMax),
  find: textParameter("", 200),
  size: wordParameter(metricShapes, "medium"),
  /** The metric whose panel is open. */
  metric: textParameter("", nameLengthMax),
  steps: wordParameter(stepChoices, "2"),
} satisfies Definition
