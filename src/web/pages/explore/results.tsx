/** The result of the queries: charts or statistics, or why there is nothing to see. */

import { ApiError } from "../../api/client.ts"
import { Chart } from "../../chart/chart.tsx"
import { useApp } from "../../frame/app.ts"
import { useCode } from "../../frame/code/use-code.ts"
import type { PageFilter } from "../../frame/filter/page-filter.ts"
import { rangeName } from "../../frame/range/range-names.ts"
import type { PageRange } from "../../frame/range/ranges.ts"
import type { Loaded } from "../../frame/loaded.ts"
import { useDark } from "../../frame/use-dark.ts"
import { countText } from "../../format/numbers.ts"
import { durationText, shortTimeText } from "../../format/times.ts"
import { LoadFailed, Problem, Skeleton } from "../../parts/states.tsx"
import { lazyCode } from "../../platform/code.ts"
import type { MetricBrowserProps } from "./metric-browser.tsx"
import { NoSeries } from "./no-series.tsx"
import type { ExploreView } from "./explore-state.ts"
import style from "./explore.module.css"
import type { AnswerLines, QueryResult } from "./lines.ts"
import type { ListViewProps } from "./list-view.ts"
import type { LateMarks } from "./marks/use-late-marks.tsx"
import type { ChartGroup, Split } from "./split.ts"
import { text } from "./text.ts"

export interface ResultsProps {
  readonly state: ExploreView
  readonly filter: PageFilter
  /** Null before the first answer. */
  readonly lines: AnswerLines | null
  readonly charts: readonly ChartGroup[]
  readonly split: Split
  readonly marks: LateMarks | null
  /** The range of the answer. */
  readonly range: PageRange
  readonly error: Error | null
  /** Whether there is a query with a metric. */
  readonly isAsked: boolean
  readonly onRetry: () => void
  readonly onDownload: () => void
}

export function Results(props: ResultsProps) {
  const { state, lines, charts, range, error, isAsked, filter } = props
  const { view } = state.values
  const list = view === "table" || view === "bar" ? view : null
  if (!isAsked) return <Browser {...{ state, filter }} />
  if (lines === null) {
    return error === null ? <Skeleton text={text.loading} rows={8} /> : <LoadProblem {...props} />
  }
  return (
    <>
      {error !== null && <LoadProblem {...props} />}
      {lines.failures.map(({ id, errors }) => (
        <Problem
          key={id}
          title={text.query(id)}
          sentences={errors}
          retryText={text.retry}
          onRetry={props.onRetry}
        />
      ))}
      {lines.results
        .filter(({ result }) => result.shown === 0)
        .map((result) => (
          <NoSeries key={result.letter} {...{ state, filter, range, result }} />
        ))}
      {list !== null ? (
        <OtherView key={list} name={list} {...{ lines, range }} />
      ) : (
        charts
          .filter((group) => group.lines.length > 0)
          .map((group) => <GroupChart key={group.title} {...{ ...props, group }} />)
      )}
    </>
  )
}

/** Charts of a link do not wait for it. */
const loadBrowser = lazyCode(() => import("./metric-browser.tsx"))

function Browser(props: MetricBrowserProps) {
  const { value, ...missing } = useCode("browser", loadBrowser)
  if (value === null) return <MissingPart {...missing} />
  return <value.MetricBrowser {...props} />
}

/** In the place of a part whose code is on its way, or could not be loaded. */
function MissingPart({ error, reload }: Pick<Loaded<unknown>, "error" | "reload">) {
  if (error === null) return <Skeleton text={text.loading} rows={8} />
  return (
    <LoadFailed {...{ error }} title={text.viewFailed} retryText={text.retry} onRetry={reload} />
  )
}

interface OtherViewProps extends ListViewProps {
  readonly name: "table" | "bar"
}

/** Views without a chart, each loaded when it is chosen. */
const views = {
  table: lazyCode(() => import("./statistics-table.tsx")),
  bar: lazyCode(() => import("./bar-list.tsx")),
}

function OtherView({ name, lines, range }: OtherViewProps) {
  const { value, ...missing } = useCode(name, () => views[name]())
  if (value === null) return <MissingPart {...missing} />
  const View = value.default
  return <View lines={lines} range={range} />
}

function LoadProblem({ error, onRetry }: ResultsProps) {
  const sentences = error instanceof ApiError ? error.sentences : [error?.message ?? ""]
  return (
    <Problem title={text.failed} sentences={sentences} retryText={text.retry} onRetry={onRetry} />
  )
}

interface GroupChartProps extends ResultsProps {
  readonly group: ChartGroup
}

function GroupChart(props: GroupChartProps) {
  const { group, lines, split, state, range, marks, onDownload } = props
  const { ranges, hotkeys, preferences } = useApp()
  const isDark = useDark()
  return (
    <section class={style["chart"]}>
      <h2 class={style["title"]} dir="auto">
        {group.title}
      </h2>
      <Chart
        title={group.title}
        note={<ResultNotes {...group} range={range} problems={lines?.percentileProblems ?? []} />}
        lines={group.lines}
        range={range.range}
        rangeName={rangeName(range)}
        nowMs={range.nowMs}
        look={state.look}
        timeStyle={range.style}
        numberStyle={preferences.numberStyle.value}
        isDark={isDark}
        syncKey="explore"
        overlay={marks?.draw}
        register={(keys) => hotkeys.register(keys)}
        onRange={(next) => ranges.showRange(next)}
        onZoomOut={() => ranges.showFormer()}
        onLook={(changes) => state.setLook(changes)}
        onDownload={onDownload}
        onSplit={split.isEach ? null : () => state.set({ each: split.other })}
      />
    </section>
  )
}

interface ResultNotesProps extends ChartGroup {
  readonly range: PageRange
  readonly problems: readonly string[]
}

/** `20 of 812 series (by avg) · PT5M · data to 14:05`, of each query that has another one. */
function ResultNotes({ results, lines, range, problems }: ResultNotesProps) {
  const numbers = useApp().preferences.numberStyle.value
  const shown = results.filter(({ result }) => result.shown > 0)
  const counts = shown.map(({ letter, query, result }) => {
    const [count, all] = [countText(result.shown, numbers), countText(result.matched, numbers)]
    const words = text.shownOf(count, all, text.orders[query.order])
    return shown.length > 1 ? `${letter}: ${words}` : words
  })
  const lastMs = lines.reduce((most, { summary }) => Math.max(most, summary.lastTime ?? 0), 0)
  const notes = [
    ...counts,
    ...new Set(shown.map(resolutionText)),
    ...(lastMs > 0 ? [text.dataTo(shortTimeText(lastMs, range.nowMs, range.style))] : []),
    ...(shown.some(({ result }) => result.isPartial) ? [text.partial] : []),
    ...new Set(problems.map(text.noPercentiles)),
  ]
  return (
    <>
      {notes.map((note) => (
        <span key={note}>{note}</span>
      ))}
    </>
  )
}

const bucketTexts: Readonly<Record<string, string>> = {
  ZERO: text.raw,
  PT5M: "5 min",
  PT1H: "1 h",
  PT24H: text.utcDays,
}

function resolutionText({ result: { rollup, columns } }: QueryResult): string {
  const bucket = bucketTexts[rollup] ?? rollup
  const step = durationText(columns.step)
  return text.resolution(bucket, step === bucket || rollup === "PT24H" ? "" : step)
}
