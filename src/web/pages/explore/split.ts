/**
 * Whether queries share a chart. A chart has few axes: lines of a further unit would not be drawn,
 * so that by itself each query then has a chart of its own, and each unit if a query has several.
 */

import { unitsMaxOf, unitsOf, type ChartLine, type ChartShape } from "../../chart/model.ts"
import type { AnswerLines, QueryResult } from "./lines.ts"
import { text } from "./text.ts"

/** As it is written in the address. */
export const splitChoices = ["auto", "0", "1"] as const
type SplitChoice = (typeof splitChoices)[number]

export interface Split {
  readonly isEach: boolean
  /** Whether the two ways differ. */
  readonly isOffered: boolean
  /** The choice that shows the other way. */
  readonly other: SplitChoice
}

/** Values of several metrics have no distribution in common: heat maps are always split. */
export function splitOf(
  chosen: SplitChoice,
  shape: ChartShape,
  answer: Pick<AnswerLines, "lines" | "results"> | null,
): Split {
  const isNeeded = answer !== null && unitsOf(answer.lines).length > unitsMaxOf(shape)
  const isHeat = shape === "heat"
  const isEach = isHeat || (chosen === "auto" ? isNeeded : chosen === "1")
  const isSeveral = answer !== null && answer.results.length > 1
  const other = isEach !== isNeeded ? "auto" : isEach ? "0" : "1"
  return { isEach, isOffered: !isHeat && (isSeveral || isNeeded), other }
}

/** Lines that are drawn in one chart. */
export interface ChartGroup {
  readonly title: string
  readonly lines: readonly ChartLine[]
  readonly results: readonly QueryResult[]
}

/** Charts of a query by units; the last one has the lines of further units, and says so. */
const unitChartsMax = 8

/** One chart of all, or one for each query. */
export function chartGroups(
  { results, lines, shared }: AnswerLines,
  isEach: boolean,
  shape: ChartShape,
): readonly ChartGroup[] {
  const metrics = [...new Set(results.map(({ query }) => query.metric))]
  const whole = { title: shared || text.several(metrics), lines, results }
  if (!isEach) return [whole]
  const groups = results.map((one): ChartGroup => {
    return { title: `${one.letter} ${one.query.metric}`, lines: one.lines, results: [one] }
  })
  const each = groups.length < 2 ? [whole] : groups
  return each.flatMap((group) => chartsOfUnits(group, unitsMaxOf(shape)))
}

function chartsOfUnits(group: ChartGroup, axes: number): readonly ChartGroup[] {
  const units = unitsOf(group.lines)
  if (units.length <= axes) return [group]
  const chartOf = ({ unit }: ChartLine) => Math.min(unitChartsMax - 1, units.indexOf(unit))
  return units.slice(0, unitChartsMax).map((unit, i) => ({
    ...group,
    title: text.inUnit(group.title, unit),
    lines: group.lines.filter((line) => chartOf(line) === i),
  }))
}
