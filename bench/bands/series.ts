/** Seeded series of months, as metrics of servers look, with anomalies put in and labelled. */

import { cyclesPerDay } from "../../src/model/resolution.ts"
import { cyclesPerWeek } from "../../src/analysis/cycle.ts"

/** Labels of cycles. */
export const normal = 0
export const anomalous = 1
/** Neither counts: after a lasting shift it is a matter of taste which level is the normal one. */
export const unscored = 2

export interface Series {
  readonly kind: string
  /** Whether days or weeks have a pattern. */
  readonly isPatterned: boolean
  /** NaN if nothing came. */
  readonly values: Float64Array
  readonly labels: Uint8Array
  /** First cycles of the anomalies, and one behind their last. */
  readonly spans: readonly (readonly [number, number])[]
}

interface Kind {
  readonly name: string
  readonly isPatterned: boolean
  /** Expected value without anomaly. */
  mean(cycle: number, day: DayKind): number
  /** Typical size of noise. */
  sigma(cycle: number, mean: number): number
  readonly noise: "normal" | "slow" | "heavy"
  readonly minimum?: number
  readonly isWhole?: true
  readonly hasGaps?: true
  readonly hasHolidays?: true
  /** Day of a lasting shift by this many σ. */
  readonly shift?: { readonly day: number; readonly sigmas: number }
}

type DayKind = "office" | "weekend"

const hour = (cycle: number): number => ((cycle % cyclesPerDay) / cyclesPerDay) * 24
const bump = (at: number, middle: number, width: number): number =>
  Math.exp(-(((at - middle) / width) ** 2))
const office = (cycle: number, day: DayKind): number =>
  day === "weekend"
    ? 0.35 * bump(hour(cycle), 15, 5)
    : bump(hour(cycle), 10.5, 2.5) + 0.9 * bump(hour(cycle), 15.5, 2.5)
const wave = (cycle: number): number => Math.sin(((hour(cycle) - 9) / 24) * 2 * Math.PI)

export const kinds: readonly Kind[] = [
  {
    name: "requests: day, week, louder when high",
    isPatterned: true,
    mean: (c, d) => 200 + 1800 * office(c, d),
    sigma: (_, mean) => 10 + 0.04 * mean,
    noise: "normal",
    minimum: 0,
  },
  {
    name: "CPU: day, week, noise that lingers",
    isPatterned: true,
    mean: (c, d) => 15 + 45 * office(c, d),
    sigma: () => 2.5,
    noise: "slow",
    minimum: 0,
  },
  {
    name: "temperature: day and slow drift",
    isPatterned: true,
    mean: (c) => 40 + 4 * wave(c) + (6 * c) / (90 * cyclesPerDay),
    sigma: () => 0.4,
    noise: "slow",
  },
  {
    name: "growing traffic: 1 % a day",
    isPatterned: true,
    mean: (c, d) => (300 + 900 * office(c, d)) * 1.01 ** (c / cyclesPerDay),
    sigma: (_, mean) => 5 + 0.03 * mean,
    noise: "normal",
    minimum: 0,
  },
  {
    name: "memory: lasting shift on day 40",
    isPatterned: true,
    mean: (c) => 60 + 6 * wave(c),
    sigma: () => 0.7,
    noise: "normal",
    shift: { day: 40, sigmas: 15 },
  },
  {
    name: "latency: heavy tail",
    isPatterned: true,
    mean: (c, d) => 120 + 80 * office(c, d),
    sigma: (_, mean) => 0.08 * mean,
    noise: "heavy",
    minimum: 0,
  },
  {
    name: "logins: weeks with holidays",
    isPatterned: true,
    mean: (c, d) => 30 + 400 * office(c, d),
    sigma: (_, mean) => 2 + Math.sqrt(mean),
    noise: "normal",
    minimum: 0,
    isWhole: true,
    hasHolidays: true,
  },
  {
    name: "queue: day, with gaps",
    isPatterned: true,
    mean: (c) => 500 + 300 * wave(c),
    sigma: () => 25,
    noise: "normal",
    hasGaps: true,
  },
  {
    name: "errors: a count that is mostly 0",
    isPatterned: false,
    mean: () => 0.3,
    sigma: () => 0.6,
    noise: "normal",
    minimum: 0,
    isWhole: true,
  },
  {
    name: "disk: noise without a pattern",
    isPatterned: false,
    mean: () => 1000,
    sigma: () => 30,
    noise: "normal",
  },
  {
    name: "constant",
    isPatterned: false,
    mean: () => 8,
    sigma: () => 0,
    noise: "normal",
  },
]

export const daysOfSeries = 90
/** Nothing is judged before: every method has had two weeks to learn. */
export const scoredFromDay = 15
const anomaliesPerSeries = 14

/** One series of a kind; equal for equal seeds. */
export function makeSeries(kind: Kind, seed: number): Series {
  const random = randomFrom(seed)
  const count = daysOfSeries * cyclesPerDay
  const values = new Float64Array(count)
  const labels = new Uint8Array(count)
  const sigmas = new Float64Array(count)
  const holidays = new Set(kind.hasHolidays === true ? pickDays(random, 3) : [])
  const noise = noiseOf(kind.noise, random)
  for (let c = 0; c < count; c++) {
    const mean = kind.mean(c, dayKind(c, holidays))
    sigmas[c] = kind.sigma(c, mean)
    const shift = kind.shift
    const isShifted = shift !== undefined && c >= shift.day * cyclesPerDay
    values[c] = mean + sigmas[c]! * noise() + (isShifted ? shift.sigmas * sigmas[c]! : 0)
  }
  if (kind.shift !== undefined) labelShift(labels, kind.shift.day)
  const spans = putAnomalies(kind, values, labels, sigmas, random)
  for (let c = 0; c < count; c++) values[c] = shaped(kind, values[c]!)
  if (kind.hasGaps === true) putGaps(values, labels, random)
  return { kind: kind.name, isPatterned: kind.isPatterned, values, labels, spans }
}

function dayKind(cycle: number, holidays: ReadonlySet<number>): DayKind {
  const day = Math.floor(cycle / cyclesPerDay)
  const dayOfWeek = Math.floor((cycle % cyclesPerWeek) / cyclesPerDay)
  return dayOfWeek >= 5 || holidays.has(day) ? "weekend" : "office"
}

function pickDays(random: () => number, count: number): number[] {
  return Array.from({ length: count }, () => scoredFromDay + Math.floor(random() * 70))
}

/** A shift is an anomaly for an hour, and for two days it is unjudged whether it still is one. */
function labelShift(labels: Uint8Array, day: number): void {
  const at = day * cyclesPerDay
  labels.fill(unscored, at, at + 2 * cyclesPerDay)
  labels.fill(anomalous, at, at + 12)
}

function shaped(kind: Kind, value: number): number {
  const bounded = Math.max(kind.minimum ?? -Infinity, value)
  return kind.isWhole === true ? Math.round(bounded) : bounded
}

/**
 * Anomalies of 15 minutes to 3 hours, of 6 to 14 σ of their time of day, up or down: spikes,
 * plateaus, ramps. On a patterned series most lie inside of the day's ordinary range.
 */
function putAnomalies(
  kind: Kind,
  values: Float64Array,
  labels: Uint8Array,
  sigmas: Float64Array,
  random: () => number,
): (readonly [number, number])[] {
  const spans: (readonly [number, number])[] = []
  const first = scoredFromDay * cyclesPerDay
  const room = (values.length - first) / anomaliesPerSeries
  for (let n = 0; n < anomaliesPerSeries; n++) {
    const from = Math.floor(first + room * n + random() * (room - 40))
    const length = 3 + Math.floor(random() * 34)
    const size = 6 + 8 * random()
    const isDown = random() < 0.4 && kind.minimum === undefined
    const form = Math.floor(random() * 3)
    if (labels.subarray(from, from + length).some((label) => label !== normal)) continue
    for (let c = from; c < from + length; c++) {
      const part = form === 2 ? 0.7 + (0.6 * (c - from)) / length : 1
      const sigma = sigmas[c] === 0 ? 0.5 : sigmas[c]!
      values[c] = values[c]! + (isDown ? -1 : 1) * size * part * sigma
      labels[c] = anomalous
    }
    spans.push([from, from + length])
  }
  return spans
}

function putGaps(values: Float64Array, labels: Uint8Array, random: () => number): void {
  for (let n = 0; n < 40; n++) {
    const from = Math.floor(random() * values.length)
    const to = from + Math.floor(random() * 100)
    for (let c = from; c < Math.min(to, values.length); c++) {
      if (labels[c] === normal) values[c] = NaN
    }
  }
}

function noiseOf(noise: Kind["noise"], random: () => number): () => number {
  let slow = 0
  return () => {
    const one = gauss(random)
    if (noise === "normal") return one
    if (noise === "slow") {
      slow = 0.9 * slow + Math.sqrt(1 - 0.81) * one
      return slow
    }
    // Student's t with 4 degrees of freedom, of variance 1.
    const squares = [gauss(random), gauss(random), gauss(random), gauss(random)]
    const chi = squares.reduce((sum, x) => sum + x * x, 0)
    return (one / Math.sqrt(chi / 4)) * Math.SQRT1_2
  }
}

/** Mulberry32: small, seeded, good enough to draw with. Gives [0, 1). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Box and Muller's normal numbers. */
export function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
