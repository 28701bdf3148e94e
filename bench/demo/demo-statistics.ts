/** Statistics of some elements as a table. */

import type { ElementStatistics } from "./demo-client.ts"
import { tableText, valueText, wholeText } from "../../src/command/text/table-text.ts"

const header = ["element", "avg", "min", "p25", "median", "p75", "p95", "max", "count"]

/** A row for each named element that has an entry, in order of `namesById`. */
export function statisticsTable(
  entries: readonly ElementStatistics[],
  namesById: ReadonlyMap<string, string>,
): string {
  const byId = new Map(entries.map((entry) => [entry.elementId, entry.statistics]))
  const rows = [...namesById].flatMap(([id, name]) => {
    const of = byId.get(id)
    if (of === undefined) return []
    const { avg, min, percentile25, median, percentile75, percentile95, max, count } = of
    const values = [avg, min, percentile25, median, percentile75, percentile95, max]
    return [[name, ...values.map(valueText), wholeText(count)]]
  })
  return tableText(header, rows)
}
