/** The statistics of the lines as a table: the last value first, then from least to greatest. */

import type { ChartLine } from "../../chart/model.ts"
import { Swatch } from "../../chart/swatch.tsx"
import { useApp } from "../../frame/app.ts"
import type { PageRange } from "../../frame/range/ranges.ts"
import { countText, valueText, type NumberStyle } from "../../format/numbers.ts"
import { shortTimeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { LoadFailed } from "../../parts/states.tsx"
import { groupBy } from "../../platform/group-by.ts"
import { seriesStatistics, type SeriesStatistics } from "../../api/statistics.ts"
import style from "./explore.module.css"
import type { AnswerLines } from "./lines.ts"
import type { ListViewProps } from "./list-view.ts"
import { text } from "./text.ts"

/** Columns from the endpoint of statistics, which has single series alone. */
const statisticColumns = [
  "percentile5",
  "percentile25",
  "median",
  "percentile75",
  "percentile95",
] as const

/** Metrics whose statistics are asked for: one call each. */
const metricsMax = 8

export default function StatisticsTable({ lines, range }: ListViewProps) {
  const { api, preferences } = useApp()
  const numbers = preferences.numberStyle.value
  const rollup = lines.results[0]?.result.rollup ?? "PT5M"
  const wanted = wantedStatistics(lines)
  const key =
    wanted.length === 0 ? null : JSON.stringify([wanted, range.range, rollup, range.round])
  const loaded = useLoaded(key, async (signal) => {
    const calls = wanted.map((one) => {
      return seriesStatistics(api, { ...one, range: range.range, rollup }, signal)
    })
    return new Map((await Promise.all(calls)).flatMap((entries) => [...entries]))
  })
  return (
    <div tabIndex={0} role="region" aria-label={text.statistics}>
      <LoadFailed
        error={loaded.error}
        title={text.statisticsFailed}
        retryText={text.retry}
        onRetry={loaded.reload}
      />
      <table class={style["statistics"]}>
        <thead>
          <tr>
            <th scope="col">{text.name}</th>
            {(["last", "min", ...statisticColumns, "avg", "max", "count"] as const).map((name) => (
              <th key={name} scope="col" class="number">
                {text.statisticNames[name]}
              </th>
            ))}
            <th scope="col" class="number">
              {text.statisticNames.lastTime}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.lines.map((line) => (
            <StatisticsRow
              key={line.id}
              {...{ line, range, numbers }}
              more={loaded.value?.get(line.series ?? "") ?? null}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The metrics of single series of now, each with its elements. */
function wantedStatistics({ results }: AnswerLines): { fqn: string; elementIds: string[] }[] {
  const single = results.filter(({ query }) => query.by === "series" && query.shift === "")
  const series = single.flatMap(({ result }) => result.series)
  const byMetric = [...groupBy(series, ({ metricFqn }) => metricFqn)].slice(0, metricsMax)
  return byMetric.map(([fqn, own]) => ({ fqn, elementIds: own.map(({ elementId }) => elementId) }))
}

interface StatisticsRowProps {
  readonly line: ChartLine
  readonly range: PageRange
  readonly numbers: NumberStyle
  /** Null if the line is no single series, and until they are loaded. */
  readonly more: SeriesStatistics | null
}

function StatisticsRow({ line, range, numbers, more }: StatisticsRowProps) {
  const { summary, unit } = line
  const cell = (value: number | null) => <td class="number">{valueText(value, unit, numbers)}</td>
  return (
    <tr>
      <th scope="row">
        <span class={style["named"]}>
          <Swatch tone={line.tone} />
          <span dir="auto">{visibleText(line.name)}</span>
        </span>
      </th>
      {cell(summary.last)}
      {cell(summary.min)}
      {statisticColumns.map((name) =>
        cell(more?.[name] ?? (name === "percentile95" ? summary.p95 : null)),
      )}
      {cell(summary.avg)}
      {cell(summary.max)}
      <td class="number">{countText(summary.count, numbers)}</td>
      <td class="number">
        {summary.lastTime === null ? "" : shortTimeText(summary.lastTime, range.nowMs, range.style)}
      </td>
    </tr>
  )
}
