/**
 * The samples of a mixed fleet: elements of 1 to 200 metrics, an hour of a sample a minute, series
 * that end and others that begin, a fifth of them aggregated by the agent. One seed, whichever
 * server they are written for.
 */

import { randomFrom, streams } from "../parts/populations.ts"
import { loadMetrics, type LoadMetric } from "./workload.ts"

export type MixedWriter = "go" | "sorted" | "java"
const writers: readonly MixedWriter[] = ["go", "sorted", "java"]

export interface MixedElement {
  readonly id: string
  readonly writer: MixedWriter
  readonly isPretty: boolean
  readonly isIso: boolean
  readonly metrics: readonly MixedMetric[]
}

export interface MixedMetric {
  readonly unit: string
  readonly stream: LoadMetric["stream"]
  readonly isCounter: boolean
  readonly isAggregated: boolean
  /** Its name in a minute: one series in twenty gives way to a new one within the hour. */
  nameAt(minute: number): string
  readonly values: Float64Array
}

export interface MixedWorkload {
  readonly elements: readonly MixedElement[]
  readonly minutes: number
  /** Epoch milliseconds; elements differ by whole seconds. */
  timeMs(minute: number, element: number): number
}

/** The values of an agent for a minute with several readings. */
export interface Aggregate {
  readonly min: number
  readonly max: number
  readonly avg: number
  readonly sum: number
  readonly cnt: number
}

const minuteMs = 60_000
const seed = 20_261_121
const metricsMax = 200
const prettyShare = 1 / 2
const isoShare = 1 / 3
const aggregatedShare = 1 / 5
/** Of the series, those that give way to a new one within an hour. */
const renewedShare = 1 / 20
const minutesPerHour = 60
const looksPerMinute = 6

export function createMixedWorkload(shape: {
  readonly elements: number
  readonly minutes: number
  readonly startMs: number
  /** Names end in their generation, `.g00000` and after the renewal `.g00001`; false by default. */
  readonly hasGenerations?: boolean
}): MixedWorkload {
  const { minutes, startMs, hasGenerations = false } = shape
  const elementAt = (_: unknown, i: number) => createElement(i, minutes, hasGenerations)
  return {
    minutes,
    elements: Array.from({ length: shape.elements }, elementAt),
    timeMs: (minute, element) => startMs + minute * minuteMs + (element % 60) * 1000,
  }
}

function createElement(index: number, minutes: number, hasGenerations: boolean): MixedElement {
  const random = randomFrom(Math.imul(seed ^ (index + 1), 0x9e3779b1))
  const id = `node-${String(index).padStart(6, "0")}`
  const isPretty = random() < prettyShare
  const isIso = random() < isoShare
  const count = 1 + Math.floor(random() * metricsMax)
  const metrics = Array.from({ length: count }, (_, i) => {
    return createMetric({ element: id, index: i, minutes, hasGenerations }, random)
  })
  return { id, writer: writers[index % writers.length]!, isPretty, isIso, metrics }
}

interface MetricPlace {
  readonly element: string
  readonly index: number
  readonly minutes: number
  readonly hasGenerations: boolean
}

function createMetric(
  { element, index, minutes, hasGenerations }: MetricPlace,
  random: () => number,
): MixedMetric {
  const of: LoadMetric = loadMetrics[index % loadMetrics.length]!
  const round = Math.floor(index / loadMetrics.length)
  const name = round === 0 ? of.fqn : `${of.fqn}.${round}`
  const isAggregated = random() < aggregatedShare
  const renewedAt = random() < renewedShare ? Math.floor(random() * minutesPerHour) : Infinity
  const next = streams[of.stream](random) as (minute: number) => number
  const renewed = `${name}.${element}.${index}`
  const isRenewed = hasGenerations && Number.isFinite(renewedAt)
  const [before, after] = isRenewed ? [`${renewed}.g00000`, `${renewed}.g00001`] : [name, renewed]
  return {
    unit: of.unit,
    stream: of.stream,
    isCounter: of.isCounter && !isAggregated,
    isAggregated,
    nameAt: (minute) => (minute < renewedAt ? before : after),
    values: Float64Array.from({ length: minutes }, (_, minute) => next(minute)),
  }
}

/** Around a mean, as finite numbers that print short. */
export function aggregateOf(mean: number): Aggregate {
  const rounded = (value: number): number => Number(value.toFixed(3))
  const spread = Math.abs(mean) / 8
  return {
    min: rounded(mean - spread),
    max: rounded(mean + spread),
    avg: mean,
    sum: rounded(mean * looksPerMinute),
    cnt: looksPerMinute,
  }
}

export function samplesOf(workload: MixedWorkload, element: number): number {
  return workload.elements[element]!.metrics.length
}
