/**
 * Ledger: the samples of a crash run, and whether the server's answers are exactly those.
 *
 * Every observation carries a number that no other request has, so each value that is read back
 * names the request it came with. A request is `acknowledged` after a 202; one whose connection
 * broke may be stored or not, but never in part.
 *
 *   sent ──202──► acknowledged ── must be there, as often as it was sent
 *    └──broken──► doubtful ────── all of it or nothing of it; then it is sent again
 */

import assert from "node:assert/strict"
import { dayMs, hourMs } from "../../src/model/resolution.ts"
import { seededRandom } from "../support/run/seeded-random.ts"

/** Metrics whose samples are plain values, and one whose samples are aggregates. */
export const plainMetrics = ["cpu.total", "mem.used", "net.rx"] as const
export const aggregateMetric = "latency"
/** Observations of an aggregate. A power of two, so that its average is exact. */
export const aggregateCount = 4

export interface Observation {
  readonly element: string
  readonly metric: string
  readonly timeMs: number
  /** Names the request: see `requestOf`. */
  readonly value: number
}

export interface SentRequest {
  readonly index: number
  readonly observations: readonly Observation[]
  readonly body: string
}

/** Values are this many apart between requests: more than a request has observations. */
const valuesPerRequest = 64
const observationsMin = 8
/** Names of metrics that come without samples, one a request. */
const newMetricsMax = 500
/** Days of the past that are written: old ones are flushed and compacted immediately. */
const pastDays = [0, 0, 1, 2, 3, 9]

export class Ledger {
  readonly elements = new Set<string>()
  readonly acknowledged: SentRequest[] = []
  private readonly counts = new Map<string, number>()
  private readonly random: ReturnType<typeof seededRandom>
  private readonly nowMs: number
  private nextIndex = 1

  constructor(seed: number, nowMs: number) {
    this.random = seededRandom(seed)
    this.nowMs = nowMs
  }

  /** A whole number from 0 up to `end`, not included. */
  below(end: number): number {
    const [a, b, c] = this.random.bytes(3)
    return ((a! << 16) | (b! << 8) | c!) % end
  }

  /** A request of one or two elements; now and then the first of a new element. */
  makeRequest(round: number): SentRequest {
    const index = this.nextIndex++
    const observations: Observation[] = []
    const names = [`host-${this.below(6)}`]
    if (this.below(25) === 0) names.push(`new-${round}-${this.below(3)}`)
    for (const element of names) {
      const count = observationsMin + this.below(8)
      for (let i = 0; i < count; i++) this.observe(observations, { element, index })
    }
    return { index, observations, body: JSON.stringify(names.map((name) => elementOf(name))) }

    function elementOf(id: string): unknown {
      const own = observations.filter(({ element }) => element === id)
      // Metrics that are new, between those that are read back: most appends bring names.
      const metrics = [{ id: `new-${index % newMetricsMax}` }]
      return { id, type: "SERVER", metrics, samples: own.map(sampleOf) }
    }
  }

  acknowledge(request: SentRequest): void {
    this.acknowledged.push(request)
    for (const one of request.observations) {
      this.elements.add(one.element)
      const key = keyOf(one)
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
    }
  }

  /** Throws if `found` is not what was acknowledged and whole requests of `doubtful`. */
  check(found: readonly Observation[], doubtful: readonly SentRequest[]): void {
    const foundCounts = new Map<string, number>()
    for (const one of found) foundCounts.set(keyOf(one), (foundCounts.get(keyOf(one)) ?? 0) + 1)
    for (const [key, count] of this.counts) {
      assert.equal(foundCounts.get(key) ?? 0, count, `Acknowledged ${count} times: ${key}`)
      foundCounts.delete(key)
    }
    for (const request of doubtful) {
      const there = request.observations.filter((one) => foundCounts.has(keyOf(one)))
      const isWhole = there.length === 0 || there.length === request.observations.length
      assert.ok(isWhole, `Request ${request.index} is there in part: ${there.map(keyOf).join()}`)
      const own = new Map<string, number>()
      for (const one of there) own.set(keyOf(one), (own.get(keyOf(one)) ?? 0) + 1)
      for (const [key, count] of own) {
        assert.equal(foundCounts.get(key), count, `Sent ${count} times, not acknowledged: ${key}`)
        foundCounts.delete(key)
      }
    }
    assert.deepEqual([...foundCounts.keys()].slice(0, 10), [], "Nobody sent these")
  }

  private observe(to: Observation[], { element, index }: { element: string; index: number }): void {
    const previous = to.at(-1)
    // A second observation of one metric at one instant, once in eight with the same value.
    const again = previous !== undefined && previous.element === element && this.below(4) === 0
    const metrics = [...plainMetrics, aggregateMetric]
    const metric = again ? previous.metric : metrics[this.below(metrics.length)]!
    const timeMs = again ? previous.timeMs : this.instant()
    const isEqual = again && this.below(2) === 0
    const value = isEqual ? previous.value : index * valuesPerRequest + to.length + 0.25
    to.push({ element, metric, timeMs, value })
  }

  private instant(): number {
    const backMs = pastDays[this.below(pastDays.length)]! * dayMs
    return this.nowMs - backMs - this.below(20 * hourMs) - 1
  }
}

/** The body of an observation. The sum of an aggregate is its value. */
function sampleOf({ metric, timeMs, value }: Observation): unknown {
  if (metric !== aggregateMetric) return { metricId: metric, timestamp: timeMs, val: value }
  const avg = value / aggregateCount
  const fields = { min: avg / 2, max: value, avg, cnt: aggregateCount, sum: value }
  return { metricId: metric, timestamp: timeMs, ...fields }
}

function keyOf({ element, metric, timeMs, value }: Observation): string {
  return `${element} ${metric} ${new Date(timeMs).toISOString()} ${value}`
}
