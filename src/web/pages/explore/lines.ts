/** The lines of an answer: named by what tells them apart, with colours that stay. */

import {
  seriesKey,
  type SeriesAnswer,
  type SeriesFailure,
  type SeriesLine,
  type SeriesResult,
} from "../../api/series-answer.ts"
import type { BandKind, ChartLine } from "../../chart/model.ts"
import { assignTones } from "../../chart/plot/series-colours.ts"
import { groupBy } from "../../platform/group-by.ts"
import type { ExploreQuery } from "./query-codec.ts"
import { letters, percentileMark } from "./series-request.ts"
import { text } from "./text.ts"

export interface QueryResult {
  readonly letter: string
  readonly query: ExploreQuery
  readonly result: SeriesResult
  readonly lines: readonly ChartLine[]
}

export interface AnswerLines {
  readonly results: readonly QueryResult[]
  readonly failures: readonly SeriesFailure[]
  /** Why there are no percentiles; empty if they are there or were not asked for. */
  readonly percentileProblems: readonly string[]
  readonly lines: readonly ChartLine[]
  /** The part that all names share, or an empty text: "cpu.total", "web-03". */
  readonly shared: string
}

interface RawLine {
  readonly id: string
  readonly letter: string
  readonly query: ExploreQuery
  readonly line: SeriesLine
}

/** `tones` keeps the colours of the lines of this page, and gets those of new ones. */
export function answerLines(
  { queries: given }: SeriesAnswer,
  queries: readonly ExploreQuery[],
  tones: Map<string, number>,
): AnswerLines {
  const isLines = ({ id }: { readonly id: string }) => !id.endsWith(percentileMark)
  const good = given.filter((one) => one.status === "ok").filter(isLines)
  const bad = given.filter((one) => one.status === "error")
  const percentiles = percentilesOf(given)
  const queryOf = (id: string) => queries[letters.indexOf(id)]
  const raw = good.flatMap((result) => {
    const query = queryOf(result.id)
    if (query === undefined) return []
    const own = result.series.map((line) => ({ id: lineId(result.id, line), query, line }))
    return own.map((one): RawLine => ({ ...one, letter: result.id }))
  })
  const names = lineNames(raw)
  const assigned = assignTones(rankingsOf(raw), tones)
  for (const [id, tone] of assigned) tones.set(id, tone)
  const results = good.flatMap((result): QueryResult[] => {
    const query = queryOf(result.id)
    if (query === undefined) return []
    const own = raw.flatMap((one, i) => (one.letter === result.id ? [{ one, i }] : []))
    const lines = own.map(({ one, i }): ChartLine => {
      const line = chartLine(one, names.texts[i]!, result, assigned.get(one.id)!)
      return { ...line, percentiles: percentiles.get(percentileKey(one.id, result)) ?? {} }
    })
    return [{ letter: result.id, query, result, lines }]
  })
  return {
    results,
    failures: bad.filter(isLines),
    percentileProblems: bad
      .filter((one) => !isLines(one))
      .flatMap(({ errors }) => errors.slice(0, 1)),
    lines: results.flatMap(({ lines }) => lines),
    shared: names.shared,
  }
}

/** Ids of the elements of an answer, each once; groups of series have none. */
export function elementIdsOf({ results }: Pick<AnswerLines, "results">): readonly string[] {
  const ids = results.flatMap(({ result }) => result.series.map(({ elementId }) => elementId))
  return [...new Set(ids)].filter((id) => id !== "")
}

/** The values of the lines of an answer, by the ids that `answerLines` gives them. */
export function answerColumns({ queries: given }: SeriesAnswer, queries: readonly ExploreQuery[]) {
  return given.flatMap((result) => {
    if (result.status !== "ok" || queries[letters.indexOf(result.id)] === undefined) return []
    const { columns } = result
    return result.series.map((line) => {
      return { id: lineId(result.id, line), columns, values: line.values.actual ?? [] }
    })
  })
}

/** Percentiles by line; those over other columns than the line's are left out. */
function percentilesOf(given: SeriesAnswer["queries"]): Map<string, ChartLine["percentiles"]> {
  const found = new Map<string, ChartLine["percentiles"]>()
  for (const result of given) {
    if (result.status !== "ok" || !result.id.endsWith(percentileMark)) continue
    const letter = result.id.slice(0, -percentileMark.length)
    for (const line of result.series) {
      const { p5, p25, p50, p75, p95, p99 } = line.values
      const key = percentileKey(lineId(letter, line), result)
      found.set(key, { p5, p25, p50, p75, p95, p99 })
    }
  }
  return found
}

function percentileKey(id: string, { columns }: Pick<SeriesResult, "columns">): string {
  return `${columns.start} ${columns.step} ${columns.count} ${id}`
}

/** All lines, the first of each query before the second ones; then those of charts of their own. */
function rankingsOf(raw: readonly RawLine[]): readonly (readonly string[])[] {
  const queries = [...groupBy(raw, ({ letter }) => letter).values()]
  const longest = queries.reduce((most, { length }) => Math.max(most, length), 0)
  const ranks = Array.from({ length: longest }, (_, rank) => rank)
  const all = ranks.flatMap((rank) => queries.flatMap((lines) => lines[rank] ?? []))
  const units = groupBy(raw, ({ letter, line }) => `${letter} ${line.unit}`)
  return [all, ...queries, ...units.values()].map((ranking) => ranking.map(({ id }) => id))
}

/** The shift does not count: the same series of last week has the colour of its own letter. */
function lineId(letter: string, { elementId, metricId, metricFqn, group }: SeriesLine): string {
  return group === null ? `${letter} ${elementId} ${metricId}` : `${letter} ${metricFqn} = ${group}`
}

/** Names of what differs: the element, the metric, or both; with the shift, and the query. */
function lineNames(raw: readonly RawLine[]): { texts: string[]; shared: string } {
  const elementOf = ({ line, query }: RawLine) =>
    line.group === null || query.by === "element"
      ? line.elementName || line.elementFqn || (line.group ?? "")
      : line.group === "" || query.by === "all"
        ? text.allOf(query.aggregation)
        : line.group
  const metricOf = ({ line, query }: RawLine) => line.metricFqn || query.metric
  const elements = new Set(raw.map(elementOf))
  const metrics = new Set(raw.map(metricOf))
  const base = raw.map((one) => {
    const [element, metric] = [elementOf(one), metricOf(one)]
    const name =
      metrics.size <= 1 ? element : elements.size <= 1 ? metric : text.metricOf(metric, element)
    return one.query.shift === "" ? name : text.shifted(name, one.query.shift)
  })
  const counts = new Map<string, number>()
  for (const name of base) counts.set(name, (counts.get(name) ?? 0) + 1)
  const texts = base.map((name, i) => {
    const isAlone = counts.get(name) === 1
    if (isAlone) return name
    const { line, letter } = raw[i]!
    // Names may be shared by several elements, their FQNs not.
    const fqn = line.elementFqn === "" || line.elementFqn === name ? "" : ` (${line.elementFqn})`
    return new Set(raw.map((one) => one.letter)).size > 1
      ? `${letter} ${name}${fqn}`
      : `${name}${fqn}`
  })
  const isOneMetric = metrics.size === 1 && raw.length > 0
  const isOneElement = elements.size === 1 && metrics.size > 1
  const shared = isOneMetric ? metricOf(raw[0]!) : isOneElement ? elementOf(raw[0]!) : ""
  return { texts, shared }
}

function chartLine(
  { id, query, line }: RawLine,
  name: string,
  { columns, rollup }: SeriesResult,
  tone: number,
): ChartLine {
  const { values, summary, unit } = line
  const { actual = [], low, high } = values
  const band = (kind: BandKind) => {
    const [lower, upper] = [values[`${kind}Lower`], values[`${kind}Upper`]]
    return lower === undefined || upper === undefined ? [] : [{ kind, lower, upper }]
  }
  const hasEnvelope = low !== undefined && high !== undefined && isWide(columns.step, rollup)
  return {
    id,
    name,
    series: query.by === "series" ? seriesKey(line.elementId, line.metricId) : null,
    unit: query.aggregation === "cnt" && query.by !== "series" ? "" : unit,
    columns,
    values: actual,
    envelope: hasEnvelope ? { low, high } : null,
    bands: [...band("baseline"), ...band("contextual")],
    percentiles: {},
    summary,
    tone,
  }
}

const bucketMs: Readonly<Record<string, number>> = {
  PT5M: 300_000,
  PT1H: 3_600_000,
  PT24H: 86_400_000,
}

/** Whether a column may hold several values, so that least and greatest differ from the mean. */
export function isWide(stepMs: number, rollup: string): boolean {
  const bucket = bucketMs[rollup]
  return bucket === undefined || stepMs > bucket
}
