/** Answers of POST `/series/query` as the server gives them, made of a request: for tests of pages. */

interface AskedQuery {
  readonly id: string
  readonly fields: readonly string[]
  readonly by: string
  readonly limit: number
  readonly series?: readonly { readonly elementId: string }[]
  readonly filter?: { readonly metricFqns?: { readonly items?: readonly { item?: string }[] } }
}

export interface AskedSeries {
  readonly startTime: string
  readonly endTime: string
  readonly width: number
  readonly queries: readonly AskedQuery[]
}

export interface MadeSeries {
  readonly names: readonly string[]
  /** Of all metrics, or by the name of the metric. */
  readonly unit: string | ((metricFqn: string) => string)
  /** Value of a series in a column. */
  readonly valueOf: (series: number, ms: number) => number | null
}

const stepMs = 300_000

/** One line for each name, as many as the limit lets through. */
export function seriesAnswerOf(asked: AskedSeries, made: MadeSeries) {
  const [startTime, endTime] = [Date.parse(asked.startTime), Date.parse(asked.endTime)]
  const start = Math.floor(startTime / stepMs) * stepMs
  const count = Math.max(1, Math.ceil((endTime - start) / stepMs))
  const queries = asked.queries.map((query) => {
    const named = query.series?.map(({ elementId }) => elementId.replace(/^id-/, ""))
    const names = query.by === "all" ? [""] : (named ?? made.names).slice(0, query.limit)
    const fqn = query.filter?.metricFqns?.items?.[0]?.item ?? "cpu.total"
    const unit = typeof made.unit === "string" ? made.unit : made.unit(fqn)
    const series = names.map((name, i) => {
      const at = named === undefined ? i : made.names.indexOf(name)
      const values = Array.from({ length: count }, (_, k) => made.valueOf(at, start + k * stepMs))
      return lineOf({ name, fqn, values, query, unit, start })
    })
    return {
      id: query.id,
      status: "ok",
      errors: [],
      rollup: "PT5M",
      columns: { start, step: stepMs, count },
      matched: query.by === "all" ? 1 : made.names.length,
      shown: series.length,
      isPartial: false,
      unit,
      series,
    }
  })
  return { startTime, endTime, serverTime: Math.max(endTime, Date.now()), queries }
}

interface LineInput {
  readonly name: string
  readonly fqn: string
  readonly values: readonly (number | null)[]
  readonly query: AskedQuery
  readonly unit: string
  readonly start: number
}

function lineOf({ name, fqn, values, query, unit, start }: LineInput) {
  const known = values.filter((value) => value !== null)
  const sum = known.reduce((all, value) => all + value, 0)
  const sorted = [...known].sort((a, b) => a - b)
  const shifted = (by: number) => values.map((value) => (value === null ? null : value + by))
  const spread = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0)
  const all: Readonly<Record<string, readonly (number | null)[]>> = {
    actual: values,
    low: shifted(-spread / 20),
    high: shifted(spread / 12),
    baselineMean: shifted(0),
    baselineLower: smooth(values, -spread / 6),
    baselineUpper: smooth(values, spread / 6),
    contextualMean: shifted(0),
    contextualLower: smooth(values, -spread / 9),
    contextualUpper: smooth(values, spread / 9),
    ...Object.fromEntries(
      [1, 5, 25, 50, 75, 95, 99].map((p) => [`p${p}`, shifted(((p - 50) / 200) * spread)]),
    ),
  }
  const wanted = Object.entries(all).filter(([field]) =>
    query.fields.some(
      (one) => field === one || field.startsWith(`${one}L`) || field === `${one}Upper`,
    ),
  )
  return {
    elementId: `id-${name}`,
    elementFqn: name,
    elementName: name,
    elementType: "SERVER",
    metricId: `id-${fqn}`,
    metricFqn: fqn,
    unit,
    isCounter: false,
    group: query.by === "series" ? null : name,
    summary: {
      min: sorted[0] ?? null,
      avg: known.length === 0 ? null : sum / known.length,
      max: sorted.at(-1) ?? null,
      last: known.at(-1) ?? null,
      lastTime:
        known.length === 0 ? null : start + values.findLastIndex((one) => one !== null) * stepMs,
      sum,
      count: known.length,
      p95: sorted[Math.floor(sorted.length * 0.95)] ?? null,
    },
    values: Object.fromEntries(wanted),
  }
}

/** A slow mean, moved: values leave a band of it now and then. */
function smooth(values: readonly (number | null)[], by: number): (number | null)[] {
  let mean = values.find((value) => value !== null) ?? 0
  return values.map((value) => {
    if (value !== null) mean += (value - mean) / 6
    return mean + by
  })
}
