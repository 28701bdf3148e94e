/** Metrics of memory: the limit, what is planned and in use, and how often it was short. */

import { Counter, Gauge, type Registry } from "prom-client"
import type { MemoryFigures } from "../../../model/memory-figures.ts"

export interface MemoryPlanFigures {
  readonly limitBytes: number
  /** Most that each part may use, by name. */
  readonly parts: Readonly<Record<string, number>>
}

export class MemoryMetrics {
  private readonly used: Gauge
  private readonly isShort: Gauge
  private readonly shortCount: Counter
  private readonly collections: Counter

  constructor(registry: Registry, { limitBytes, parts }: MemoryPlanFigures) {
    const registers = [registry]
    const named = (name: string, help: string) => ({
      name: `tidegauge_memory_${name}`,
      help,
      registers,
    })
    new Gauge(named("limit_bytes", "Memory that the process may use")).set(limitBytes)
    const planned = new Gauge({
      ...named("planned_bytes", "Most memory that a part of the process may use, by part"),
      labelNames: ["part"],
    })
    for (const [part, bytes] of Object.entries(parts)) planned.set({ part }, bytes)
    this.used = new Gauge(named("used_bytes", "Memory in use that the system cannot reclaim"))
    this.isShort = new Gauge(
      named("short", "1 while samples and queries are refused for want of memory, otherwise 0"),
    )
    this.shortCount = new Counter(named("short_total", "Times that memory became short"))
    this.collections = new Counter(
      named(
        "collections_total",
        "Garbage collections of all threads since memory was nearly short",
      ),
    )
  }

  set({ usedBytes, isShort, shortCount, collections }: MemoryFigures): void {
    this.used.set(usedBytes)
    this.isShort.set(Number(isShort))
    setTotal(this.shortCount, shortCount)
    setTotal(this.collections, collections)
  }
}

function setTotal(counter: Counter, total: number): void {
  counter.reset()
  counter.inc(total)
}
