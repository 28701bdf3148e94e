/** The 30 metrics of the demonstration's servers, and how each moves through the day. */

export interface DemoMetric {
  readonly id: string
  readonly unit: string
  readonly kind: "gauge" | "latency" | "counter"
  /** Value at rest; of a counter its increase a minute. */
  readonly base: number
  /** How much the daily load, the spike at noon and chance add, as parts of `base`. */
  readonly daily: number
  readonly spike: number
  readonly noise: number
  readonly max: number
  readonly decimals: number
}

type Motion = Partial<Omit<DemoMetric, "id" | "unit" | "kind" | "base">>

/** A metric that only chance moves. */
const still = { daily: 0, spike: 0, noise: 0.1, max: Infinity, decimals: 2 }

export const demoMetrics: readonly DemoMetric[] = [
  gauge("cpu.total.utilization", "percent", 22, { daily: 1.2, spike: 1.5, max: 100 }),
  gauge("cpu.total.user", "percent", 14, { daily: 1.3, spike: 1.5, max: 100 }),
  gauge("cpu.total.system", "percent", 6, { daily: 1, spike: 1, max: 100 }),
  gauge("cpu.total.iowait", "percent", 1.5, { noise: 0.9, max: 100 }),
  gauge("load.1m", "load", 1.1, { daily: 1.5, spike: 4, noise: 0.3 }),
  gauge("load.5m", "load", 1, { daily: 1.5, spike: 3, noise: 0.15 }),
  gauge("load.15m", "load", 1, { daily: 1.5, spike: 2, noise: 0.08 }),
  gauge("memory.used", "bytes", 6e9, { daily: 0.2, noise: 0.01, decimals: 0 }),
  gauge("memory.cached", "bytes", 3e9, { daily: 0.05, noise: 0.02, decimals: 0 }),
  gauge("memory.utilization", "percent", 48, { daily: 0.2, noise: 0.02, max: 100 }),
  gauge("swap.used", "bytes", 2e7, { noise: 0.01, decimals: 0 }),
  gauge("disk.root.utilization", "percent", 55, { noise: 0.001, max: 100 }),
  gauge("disk.data.utilization", "percent", 62, { noise: 0.001, max: 100 }),
  gauge("disk.read", "bytes/second", 2.5e6, { daily: 1, noise: 0.8, decimals: 0 }),
  gauge("disk.write", "bytes/second", 4e6, { daily: 1, spike: 2, noise: 0.6, decimals: 0 }),
  gauge("disk.queue", "requests", 0.4, { daily: 1, spike: 8, noise: 0.9 }),
  latency("disk.latency", "milliseconds", 1.8, { spike: 2 }),
  gauge("network.received", "bytes/second", 9e6, { daily: 2, spike: 3, decimals: 0 }),
  gauge("network.sent", "bytes/second", 1.4e7, { daily: 2, spike: 3, decimals: 0 }),
  gauge("network.errors", "errors", 0.2, { noise: 1, decimals: 0 }),
  counter("network.packets.total", "packets", 480_000),
  gauge("tcp.connections", "connections", 180, { daily: 2, spike: 3, decimals: 0 }),
  counter("http.requests.total", "requests", 3_600),
  counter("http.errors.total", "errors", 4),
  latency("http.latency.average", "milliseconds", 24, { daily: 0.3, spike: 6 }),
  latency("http.latency.slowest", "milliseconds", 140, { daily: 0.5, spike: 9, max: 30_000 }),
  gauge("process.count", "processes", 210, { daily: 0.1, noise: 0.02, decimals: 0 }),
  gauge("process.threads", "threads", 900, { daily: 0.3, noise: 0.03, decimals: 0 }),
  gauge("queue.depth", "messages", 3, { daily: 2, spike: 40, noise: 0.9, decimals: 0 }),
  gauge("temperature", "celsius", 38, { daily: 0.2, spike: 0.2, noise: 0.02, decimals: 1 }),
]

function gauge(id: string, unit: string, base: number, motion: Motion): DemoMetric {
  return { id, unit, kind: "gauge", base, ...still, ...motion }
}

function latency(id: string, unit: string, base: number, motion: Motion): DemoMetric {
  return { id, unit, kind: "latency", base, ...still, max: 10_000, ...motion }
}

function counter(id: string, unit: string, base: number): DemoMetric {
  return { id, unit, kind: "counter", base, ...still, daily: 1.5, spike: 2 }
}
