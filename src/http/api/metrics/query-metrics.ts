/** Metrics of clients' queries: waiting, running, durations and outcomes. */

import { Counter, Gauge, Histogram, type Registry } from "prom-client"
import type { AdmissionFigures } from "../../../query/query.ts"

/** Up to the default timeout of a query, and beyond for longer settings of it. */
const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export class QueryMetrics {
  private readonly waiting: Gauge
  private readonly running: Gauge
  private readonly durations: Histogram
  private readonly refused: Counter
  private readonly timedOut: Counter
  private readonly cancelled: Counter
  private readonly putBack: Counter

  constructor(registry: Registry) {
    const registers = [registry]
    const named = (name: string, help: string) => ({
      name: `tidegauge_queries_${name}`,
      help,
      registers,
    })
    this.waiting = new Gauge(named("waiting", "Queries that wait for a query thread"))
    this.running = new Gauge(named("running", "Queries that query threads run"))
    this.durations = new Histogram({
      name: "tidegauge_query_duration_seconds",
      help: "Time from the arrival of a query to its answer, waiting included",
      buckets: secondsBuckets,
      registers,
    })
    this.refused = new Counter({
      ...named("refused_total", "Queries refused since too many waited, by whose limit it was"),
      labelNames: ["reason"],
    })
    this.timedOut = new Counter(named("timed_out_total", "Queries over the query timeout"))
    this.cancelled = new Counter(named("cancelled_total", "Queries whose client disconnected"))
    this.putBack = new Counter(
      named("preempted_total", "Times a long query was restarted for others that waited"),
    )
  }

  onAnswered(durationMs: number): void {
    this.durations.observe(durationMs / 1000)
  }

  set(figures: AdmissionFigures): void {
    this.waiting.set(figures.waiting)
    this.running.set(figures.running)
    this.refused.reset()
    for (const [reason, count] of Object.entries(figures.refused)) {
      this.refused.inc({ reason }, count)
    }
    for (const [counter, count] of [
      [this.timedOut, figures.timedOut],
      [this.cancelled, figures.cancelled],
      [this.putBack, figures.preempted],
    ] as const) {
      counter.reset()
      counter.inc(count)
    }
  }
}
