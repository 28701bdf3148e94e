/**
 * The figures of the load, with their targets. A target is for the reference machine (2 cores,
 * x86-64, node 20); if VictoriaMetrics runs in the same session, its own figure replaces the one
 * that it had there.
 */

export interface FigureKind {
  readonly title: string
  /** A ratio of two of our own figures: kept as it is among the ratios. */
  readonly isRatio?: true
  readonly unit: string
  readonly better: "more" | "less"
  /** Absent: shown for comparison only. */
  readonly target?: number
  /** The target is this factor times VictoriaMetrics' figure, if that was measured too. */
  readonly timesVictoriaMetrics?: number
}

const perCpu = "samples per CPU second"

export const figureKinds = {
  agentAcknowledged: {
    title: "agent, acknowledged",
    unit: perCpu,
    better: "more",
    target: 2 * 760_000,
    timesVictoriaMetrics: 2,
  },
  agentSettled: {
    title: "agent, settled",
    unit: perCpu,
    better: "more",
    target: 2 * 630_000,
    timesVictoriaMetrics: 2,
  },
  agentRequests: { title: "agent, capacity", unit: "requests per second", better: "more" },
  agentP50: { title: "agent at half of capacity, p50", unit: "ms", better: "less", target: 3 },
  agentP99: { title: "agent at half of capacity, p99", unit: "ms", better: "less", target: 15 },
  agentRss: { title: "agent, memory after settling", unit: "MiB", better: "less" },
  tlsAcknowledged: { title: "agent over TLS, acknowledged", unit: perCpu, better: "more" },
  tlsSettled: { title: "agent over TLS, settled", unit: perCpu, better: "more" },
  tlsRequests: { title: "agent over TLS, capacity", unit: "requests per second", better: "more" },
  tlsP50: { title: "agent over TLS at half of capacity, p50", unit: "ms", better: "less" },
  tlsP99: { title: "agent over TLS at half of capacity, p99", unit: "ms", better: "less" },
  tlsRss: { title: "agent over TLS, memory after settling", unit: "MiB", better: "less" },
  bulkAcknowledged: {
    title: "bulk, acknowledged",
    unit: perCpu,
    better: "more",
    target: 2 * 1_290_000,
    timesVictoriaMetrics: 2,
  },
  bulkSettled: {
    title: "bulk, settled",
    unit: perCpu,
    better: "more",
    target: 2 * 910_000,
    timesVictoriaMetrics: 2,
  },
  bulkRss: { title: "bulk, memory after settling", unit: "MiB", better: "less" },
  mixedAcknowledged: {
    title: "mixed, acknowledged",
    unit: perCpu,
    better: "more",
    timesVictoriaMetrics: 1,
  },
  mixedSettled: {
    title: "mixed, settled",
    unit: perCpu,
    better: "more",
    timesVictoriaMetrics: 1,
  },
  mixedRss: { title: "mixed, memory after settling", unit: "MiB", better: "less" },
  newSeries: {
    title: "new series",
    unit: "series per CPU second",
    better: "more",
    target: 150_000,
    timesVictoriaMetrics: 2,
  },
  seriesMemory: { title: "active series, memory", unit: "bytes each", better: "less", target: 400 },
  restart: { title: "ready again after kill -9", unit: "s", better: "less", target: 5 },
  statisticsPt5m: {
    title: "statistics, two weeks of PT5M",
    unit: "ms",
    better: "less",
    target: 100,
  },
  statisticsZero: {
    title: "statistics, two weeks of ZERO",
    unit: "ms",
    better: "less",
    target: 100,
  },
  statisticsOne: { title: "statistics, one series", unit: "ms", better: "less", target: 5 },
  statisticsDay: { title: "statistics, one day of PT5M", unit: "ms", better: "less", target: 20 },
  acrossDay: {
    title: "aggregation across elements, one day of PT5M",
    unit: "ms",
    better: "less",
    target: 10,
  },
  chartTwenty: { title: "chart of 20 series, one day", unit: "ms", better: "less", target: 15 },
  chartThousand: {
    title: "chart of all series, one day of PT5M, one field",
    unit: "ms",
    better: "less",
    target: 80,
  },
  chartDashboard: {
    title: "dashboard of 20 charts, one day",
    unit: "ms",
    better: "less",
    target: 120,
  },
  coldPt5m: cold("two weeks of PT5M"),
  coldZero: cold("two weeks of ZERO"),
  coldOne: cold("one series"),
  coldDay: cold("one day of PT5M"),
  coldAcross: cold("aggregation across elements"),
  disk: { title: "disk after sealing", unit: "bytes a raw sample", better: "less", target: 6 },
  curveSmall: { title: "few active series, settled", unit: perCpu, better: "more" },
  curveMiddle: { title: "ten times as many", unit: perCpu, better: "more" },
  curveLarge: { title: "a hundred times as many", unit: perCpu, better: "more" },
  curveKept: {
    title: "throughput kept from few to many series",
    isRatio: true,
    unit: "times",
    better: "more",
    target: 0.75,
  },
  dayThroughput: {
    title: "a simulated day, throughput of its last half",
    isRatio: true,
    unit: "times its first half",
    better: "more",
    target: 0.9,
  },
  dayMemory: {
    title: "a simulated day, memory of its last quarter",
    isRatio: true,
    unit: "times its first quarter",
    better: "less",
    target: 1.1,
  },
  togetherQuery: {
    title: "statistics of a day beside ingest at half of capacity, p50",
    isRatio: true,
    unit: "times quiet",
    better: "less",
    target: 2,
  },
  togetherIngest: {
    title: "ingest at half of capacity beside those, p99",
    isRatio: true,
    unit: "times quiet",
    better: "less",
    target: 2,
  },
} as const satisfies Record<string, FigureKind>

function cold(question: string) {
  return {
    title: `statistics cold, ${question}`,
    isRatio: true,
    unit: "times warm",
    better: "less",
    target: 2,
  } as const
}

export type FigureName = keyof typeof figureKinds

/** One measured value of one server. */
export interface Figure {
  readonly name: FigureName
  readonly subject: string
  readonly value: number
  /** Context that a reader needs to compare it. */
  readonly note?: string
}

/** The reference of a comparison, and whether `value` reaches it. */
export interface Verdict {
  readonly target: number
  readonly reached: boolean
}

/** `null` for a figure without a target. */
export function compareToTarget(
  kind: FigureKind,
  value: number,
  victoria?: number,
): Verdict | null {
  const { better, timesVictoriaMetrics } = kind
  const measured = victoria !== undefined && timesVictoriaMetrics !== undefined
  const target = measured ? victoria * timesVictoriaMetrics : kind.target
  if (target === undefined) return null
  return { target, reached: better === "more" ? value >= target : value <= target }
}
