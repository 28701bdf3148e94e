/** The panel of one metric: its course, what is known of it, statistics, other elements with it. */

import { useState } from "preact/hooks"
import { readMetrics, type Element, type ElementMetric } from "../../api/element.ts"
import { querySeries } from "../../api/series.ts"
import type { SeriesLine } from "../../api/series-answer.ts"
import { seriesStatistics } from "../../api/statistics.ts"
import { metricName } from "../../format/metric-name.ts"
import { valueText } from "../../format/numbers.ts"
import { timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useCode } from "../../frame/code/use-code.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { LinkButton } from "../../parts/button.tsx"
import { Segments } from "../../parts/segments.tsx"
import { Skeleton } from "../../parts/states.tsx"
import { lazyCode } from "../../platform/code.ts"
import { elementAddress } from "../../url/element-address.ts"
import { exactly } from "../../url/filter-groups.ts"
import { isoTimes } from "../../url/time-range.ts"
import { Facts } from "./facts.tsx"
import { Failed } from "./failed.tsx"
import style from "./element.module.css"
import { exploreAddress } from "./explore-address.ts"
import { text } from "./text.ts"

interface MetricPanelProps {
  readonly element: Element
  readonly metric: string
  readonly round: number
  /** Address of all metrics. */
  readonly backAddress: string
}

export function MetricPanel({ element, metric, round, backAddress }: MetricPanelProps) {
  const unit = element.units.get(metric) ?? ""
  const address = exploreAddress({ metric, elementFqn: element.fqn })
  return (
    <section class={style["part"]} aria-label={visibleText(metricName(metric))}>
      <div class={style["panelHead"]}>
        <LinkButton href={backAddress} kind="quiet">
          {text.allMetrics}
        </LinkButton>
        <LinkButton href={address}>{text.openInExplore}</LinkButton>
      </div>
      <LateChart {...{ element, metric, round }} />
      <h2>{text.about}</h2>
      <Meta {...{ element, metric, unit, round }} />
      <h2>{text.statistics}</h2>
      <Statistics {...{ element, metric, unit }} />
      <h2>{text.others}</h2>
      <Others {...{ element, metric }} />
    </section>
  )
}

const loadChart = lazyCode(() => import("./metric-chart.tsx"))

/** The chart, 30 kB of scripts that the facts do not wait for. */
function LateChart(props: OfMetric & { readonly round: number }) {
  const { value, error, reload } = useCode("metric-chart", loadChart)
  if (value === null) {
    if (error !== null) return <Failed error={error} onRetry={reload} />
    return <Skeleton text={text.loading} rows={8} />
  }
  const { MetricChart } = value
  return <MetricChart {...props} />
}

interface OfMetric {
  readonly element: Element
  readonly metric: string
}

function Meta({ element, metric, unit, round }: OfMetric & { unit: string; round: number }) {
  const { api, preferences } = useApp()
  const { value, error, reload } = useLoaded(`${element.id} ${metric} ${round}`, (signal) =>
    readMetrics(api, element.id, signal, metric),
  )
  if (error !== null) return <Failed error={error} onRetry={reload} />
  if (value === null) return <Skeleton text={text.loading} rows={3} />
  const [meta] = value
  if (meta === undefined) return <p class="secondary">{text.missingMetric(visibleText(metric))}</p>
  const number = (one: number | null) => valueText(one, unit, preferences.numberStyle.value)
  const time = (iso: string | null) =>
    iso === null ? text.noValue : timeText(Date.parse(iso), preferences.timeStyle.value)
  return <Facts facts={metaFacts(meta, unit, number, time)} />
}

function metaFacts(
  { state, configuration }: ElementMetric,
  unit: string,
  number: (value: number | null) => string,
  time: (iso: string | null) => string,
): readonly (readonly [string, string])[] {
  const { validmin, validmax, sparsedatastrategy } = configuration
  return [
    [text.unit, unit === "" ? text.noValue : unit],
    [text.last, number(state.lastActual)],
    [text.historical, text.span(number(state.historicalMin), number(state.historicalMax))],
    ...(validmin === null && validmax === null
      ? []
      : [[text.valid, text.span(number(validmin), number(validmax))] as const]),
    [text.sparse, sparsedatastrategy],
    [text.bands, state.baselined ? text.on : text.off],
    [text.correlation, state.correlated ? text.on : text.off],
    [text.created, time(state.created)],
    [text.updated, time(state.updated)],
  ]
}

const kinds = ["approximate", "exact"] as const

function Statistics({ element, metric, unit }: OfMetric & { readonly unit: string }) {
  const { api, ranges, preferences } = useApp()
  const { range, text: rangeText, round } = ranges.current.value
  const [kind, setKind] = useState<(typeof kinds)[number]>("approximate")
  const key = JSON.stringify([element.id, metric, range, round, kind])
  const load = async (signal: AbortSignal) => {
    const exact = kind === "exact"
    const asked = { fqn: metric, elementIds: [element.id], range, exact }
    const rollup = exact ? "ZERO" : "PT5M"
    return [...(await seriesStatistics(api, { ...asked, rollup }, signal)).values()][0] ?? null
  }
  const subject = JSON.stringify([element.id, metric, rangeText, kind])
  const { value, error, isFormer, reload } = useLoaded(key, load, subject)
  const number = (one: number) => valueText(one, unit, preferences.numberStyle.value)
  return (
    <>
      <div>
        <Segments
          label={text.percentiles}
          value={kind}
          options={kinds.map((one) => ({ value: one, text: text.percentileKinds[one] }))}
          onValue={setKind}
        />
      </div>
      {error !== null && <Failed error={error} onRetry={reload} />}
      {value === null && error === null && <p class="secondary">{text.noValuesAtAll}</p>}
      {value !== null && (
        <div aria-busy={isFormer || undefined}>
          <Facts
            facts={[
              [text.percentile(5), number(value.percentile5)],
              [text.percentile(25), number(value.percentile25)],
              [text.percentile(50), number(value.median)],
              [text.percentile(75), number(value.percentile75)],
              [text.percentile(95), number(value.percentile95)],
            ]}
          />
        </div>
      )}
    </>
  )
}

/** Elements that are named; the rest is a link away. */
const othersMax = 10

function Others({ element, metric }: OfMetric) {
  const { api, ranges, preferences } = useApp()
  const { range, text: rangeText, round } = ranges.current.value
  const key = JSON.stringify([metric, range, round])
  const load = async (signal: AbortSignal) => {
    const query = {
      id: "others",
      filter: { metricFqns: exactly([metric]) },
      fields: ["actual"] as const,
      by: "series",
      aggregation: "avg" as const,
      order: { by: "max", direction: "desc" } as const,
      limit: othersMax + 1,
      summaryOnly: true,
    }
    const answer = await querySeries(
      api,
      { ...isoTimes(range), width: 1, queries: [query] },
      signal,
    )
    const [result] = answer.queries
    return result?.status === "ok" ? result : null
  }
  const subject = JSON.stringify([metric, rangeText])
  const { value, error, isFormer, reload } = useLoaded(key, load, subject)
  if (error !== null) return <Failed error={error} onRetry={reload} />
  if (value === null) return <Skeleton text={text.loading} rows={3} />
  const isOther = ({ elementId }: SeriesLine) => elementId !== element.id
  const others = value.series.filter(isOther).slice(0, othersMax)
  if (others.length === 0) return <p class="secondary">{text.noOthers}</p>
  return (
    <div class={style["part"]} aria-busy={isFormer || undefined}>
      <ul class={style["others"]}>
        {others.map(({ elementFqn, elementName, summary, unit }) => (
          <li key={elementFqn}>
            <a href={elementAddress(elementFqn)} dir="auto">
              {visibleText(elementName)}
            </a>
            <span>{valueText(summary.max, unit, preferences.numberStyle.value)}</span>
          </li>
        ))}
      </ul>
      <p class="secondary">{text.othersShown(others.length, Math.max(0, value.matched - 1))}</p>
    </div>
  )
}
