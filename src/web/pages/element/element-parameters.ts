/** Parameters of the page of an element in its address: the tab, and what is shown of the metrics. */

import { textParameter, wordParameter, type Definition } from "../../url/parameters.ts"

export const tabNames = ["summary", "metrics", "alerts", "policies", "details"] as const

export const metricShapes = ["small", "medium", "large", "table"] as const

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
} satisfies Definition
