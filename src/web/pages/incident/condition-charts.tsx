/** A chart for each metric that a policy compared: its band or threshold, and where it is beyond. */

import { useMemo, useState } from "preact/hooks"
import { querySeries } from "../../api/series.ts"
import type { SeriesAnswer, SeriesRequest } from "../../api/series-answer.ts"
import type { ApiClient } from "../../api/client.ts"
import { replayCycles } from "../../api/incident/incident.ts"
import type {
  IncidentDetails,
  PolicyCopy,
  PolicyReplay,
} from "../../api/incident/incident-answer.ts"
import { Chart } from "../../chart/chart.tsx"
import type { EventMark } from "../../chart/marks/event-marks.ts"
import { MarkRow } from "../../chart/marks/mark-row.tsx"
import type { ChartLine } from "../../chart/model.ts"
import type { PlotLook } from "../../chart/plot/plot-input.ts"
import { useApp } from "../../frame/app.ts"
import { useDark } from "../../frame/use-dark.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { useMarks } from "../../frame/use-marks.ts"
import { Skeleton } from "../../parts/states.tsx"
import { exactly } from "../../url/filter-groups.ts"
import { isoTimes, type TimeRange } from "../../url/time-range.ts"
import { visibleText } from "../../format/visible-text.ts"
import { metricLine } from "./condition-lines.ts"
import { ConditionMarks } from "./condition-marks.tsx"
import { isWithin, marksOf, type MarksGiven, type MetricMarks } from "./condition-rows.ts"
import { FailedPart } from "./failed.tsx"
import { beforeMs, draggedSpan } from "./holding.ts"
import style from "./incident.module.css"
import { text } from "./text.ts"
import type { SectionProps } from "./use-findings.ts"

/** Without cycles: after the last one in which the policy fired. */
const afterMs = 1_800_000
/** More charts are a wall: the first ones are those of the first conditions. */
const chartsMax = 6

export function ConditionCharts({ incident, findings }: SectionProps) {
  const { clock } = useApp()
  const { latest, cycles, needed } = findings
  const policy = latest.value?.event?.policy ?? null
  const detail = cycles.value?.detail ?? null
  const { tsFirstFired: firstMs, tsLastFired, violatingMetricFqns: named } = incident
  const given = { conditions: policy?.conditions ?? [], named, firstMs, needed }
  const marks = useMemo(() => marksOf(detail, given), [detail, JSON.stringify(given)])
  if (cycles.isLoading && cycles.value === null) return <Skeleton text={text.loading} rows={6} />
  if (marks.length === 0 || findings.isElementDeleted) return null
  const { startMs, endMs } = cycles.value?.range ?? {
    startMs: firstMs - beforeMs,
    endMs: Math.min(clock.nowMs(), tsLastFired + afterMs),
  }
  const replay = detail === null ? null : policy
  return <MetricCharts key={startMs} {...{ incident, given, replay, marks, startMs, endMs }} />
}

interface MetricChartsProps extends TimeRange {
  readonly incident: IncidentDetails
  readonly given: MarksGiven
  /** The policy that is replayed; null without a replay. */
  readonly replay: PolicyCopy | null
  /** Of the range. */
  readonly marks: readonly MetricMarks[]
}

function MetricCharts(props: MetricChartsProps) {
  const { incident, given, replay: policy, marks, startMs, endMs } = props
  const { elementId, policyId: withoutPolicy } = incident
  const { api } = useApp()
  const [zoomed, setZoomed] = useState<readonly TimeRange[]>([])
  const range = useMemo(() => zoomed.at(-1) ?? { startMs, endMs }, [zoomed, startMs, endMs])
  const request = requestOf(incident.elementFqn, marks.slice(0, chartsMax), range)
  const { value, error, reload } = useLoaded(JSON.stringify(request), async (signal) => {
    const isReplayed = policy === null || isWithin(range, { startMs, endMs })
    const [answer, replay] = await Promise.all([
      querySeries(api, request, signal),
      isReplayed ? null : replayDragged(api, { policy, elementId, range }, signal),
    ])
    return { answer, range, marks: replay && marksOf(replay.cycleDetail, given) }
  })
  const events = useMarks({ elementIds: [elementId], withoutPolicy, range, round: 0 })
  if (value === null && error === null) return <Skeleton text={text.loading} rows={6} />
  return (
    <div class={style["charts"]}>
      <FailedPart error={error} onRetry={reload} />
      {value !== null &&
        (value.marks ?? marks)
          .slice(0, chartsMax)
          .map((one) => (
            <MetricChart
              key={one.metricFqn}
              {...{ ...value, marks: one, needed: given.needed, events }}
              onRange={(next) => setZoomed([...zoomed, next])}
              onZoomOut={() => setZoomed(zoomed.slice(0, -1))}
            />
          ))}
      <p class="secondary">{text.chartNote}</p>
    </div>
  )
}

interface DraggedTo {
  readonly policy: PolicyCopy
  readonly elementId: string
  readonly range: TimeRange
}

function replayDragged(
  api: ApiClient,
  { range, ...of }: DraggedTo,
  signal: AbortSignal,
): Promise<PolicyReplay | null> {
  const { startMs: fromMs, endMs: toMs } = draggedSpan(range)
  return replayCycles(api, { ...of, fromMs, toMs }, signal)
}

/** Wide enough for each value of the span; the server gives no more columns than there are. */
const columns = 600

function requestOf(
  elementFqn: string,
  marks: readonly MetricMarks[],
  range: TimeRange,
): SeriesRequest {
  const metrics = marks.flatMap(({ metricFqn, thresholdFqn }) =>
    thresholdFqn === null ? [metricFqn] : [metricFqn, thresholdFqn],
  )
  return {
    ...isoTimes(range),
    width: columns,
    queries: [
      {
        id: "A",
        filter: { elementFqns: exactly([elementFqn]), metricFqns: exactly([...new Set(metrics)]) },
        fields: ["actual", "low", "high", "baseline", "contextual"],
        by: "series",
        aggregation: "avg",
        order: { by: "avg", direction: "desc" },
        limit: 2 * chartsMax,
      },
    ],
  }
}

interface MetricChartProps {
  readonly marks: MetricMarks
  readonly events: readonly EventMark[]
  readonly needed: number
  readonly answer: SeriesAnswer
  readonly range: TimeRange
  readonly onRange: (range: TimeRange) => void
  readonly onZoomOut: () => void
}

function MetricChart(props: MetricChartProps) {
  const { marks, events, needed, answer, range, onRange, onZoomOut } = props
  const { clock, hotkeys, preferences } = useApp()
  const isDark = useDark()
  const [look, setLook] = useState(firstLook)
  const { metricFqn, thresholdFqn, level, bands } = marks
  const lines = useMemo(() => {
    const [result] = answer.queries
    if (result?.status !== "ok") return []
    return [metricFqn, thresholdFqn].flatMap((fqn, tone): ChartLine[] => {
      const line = fqn === null ? null : metricLine(result, fqn, { tone, bands })
      return line === null ? [] : [line]
    })
  }, [answer, metricFqn, thresholdFqn, bands])
  const unit = lines[0]?.unit ?? ""
  const levels = useMemo(() => (level === null ? [] : [{ value: level, unit }]), [level, unit])
  const title = visibleText(metricFqn)
  const [nowMs, timeStyle] = [clock.nowMs(), preferences.timeStyle.value]
  return (
    <section class={style["chart"]}>
      <h3 dir="auto">{title}</h3>
      {lines.length === 0 ? (
        <p class="secondary">{text.noValues}</p>
      ) : (
        <Chart
          {...{ title, lines, range, look, isDark, levels, nowMs, timeStyle, onRange, onZoomOut }}
          note={null}
          rangeName={text.chartRange}
          numberStyle={preferences.numberStyle.value}
          syncKey="incident"
          hasLegend={lines.length > 1}
          register={(keys) => hotkeys.register(keys)}
          onLook={(changes) => setLook({ ...look, ...changes })}
          onDownload={() => {}}
          overlay={(area) => (
            <>
              <ConditionMarks {...{ area, marks, needed, unit }} />
              <MarkRow {...{ range: area.view, marks: events, nowMs, timeStyle }} />
            </>
          )}
        />
      )}
    </section>
  )
}

const firstLook: PlotLook = {
  shape: "lines",
  isFromZero: false,
  hasBands: true,
  percentiles: "none",
}
