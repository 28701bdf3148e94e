/**
 * Series that nothing was tuned on, shaped like those of public anomaly benchmarks: weeks rather
 * than months, one or two anomalies or none, hourly and half-hourly ones too.
 */

import { cyclesPerDay } from "../../src/model/resolution.ts"
import { gauss, randomFrom } from "./series.ts"

export interface HeldOut {
  readonly name: string
  /** Cycles from one value to the next. */
  readonly every: number
  readonly days: number
  /** Days on which an anomaly begins. */
  readonly onsets: readonly number[]
  /** How long what begins there lasts, in days. */
  readonly lasting: number
  /** A new generator of values by their number, for one seed. */
  make(random: () => number, at: AnomalyAt): (index: number) => number
}

/** Whether the value with that number is part of an anomaly. */
export type AnomalyAt = (index: number) => boolean

const day = cyclesPerDay
const dayShare = (i: number, perDay: number): number => (i % perDay) / perDay
const isOffice = (i: number): boolean => dayShare(i, day) > 0.375 && dayShare(i, day) < 0.75

/** Noise of which a share lingers from one value to the next. */
function lingering(random: () => number, share: number): () => number {
  let state = 0
  return () => (state = share * state + Math.sqrt(1 - share * share) * gauss(random))
}

const dailyLoad = (random: () => number, anomaly: AnomalyAt, other: (load: number) => number) => {
  return (i: number): number => {
    const load = isOffice(i) ? 75 : 22
    return (anomaly(i) ? other(load) : load) + 1.5 * gauss(random)
  }
}

export const heldOutKinds: readonly HeldOut[] = [
  {
    name: "CPU that wanders, shifts up",
    every: 1,
    days: 14,
    onsets: [9],
    lasting: 5,
    make: (random, anomaly) => {
      const slow = lingering(random, 0.97)
      return (i) => 42 + 2.5 * slow() + 0.8 * gauss(random) + (anomaly(i) ? 12 : 0)
    },
  },
  {
    name: "CPU with spikes, small shift",
    every: 1,
    days: 14,
    onsets: [8],
    lasting: 2,
    make: (random, anomaly) => (i) =>
      (random() < 0.02 ? 15 + 30 * random() : 2.2) + 0.15 * gauss(random) + (anomaly(i) ? 2.5 : 0),
  },
  {
    name: "requests of a load balancer, outage",
    every: 1,
    days: 14,
    onsets: [6.4, 11.6],
    lasting: 0.06,
    make: (random, anomaly) => (i) => {
      const mean = 60 + 50 * Math.sin(2 * Math.PI * (dayShare(i, day) - 0.3))
      return anomaly(i) ? 4 : Math.round(mean * (0.7 + 0.9 * random() ** 3))
    },
  },
  {
    name: "temperature of a room, hourly",
    every: 12,
    days: 290,
    onsets: [160.5, 240.2],
    lasting: 2,
    make: (random, anomaly) => {
      const weather = lingering(random, 0.96)
      return (i) => {
        const year = 5 * Math.sin((2 * Math.PI * i) / (24 * 365))
        return 68 + year + 1.6 * weather() + 0.5 * gauss(random) - (anomaly(i) ? 8 : 0)
      }
    },
  },
  {
    name: "ad clicks, hourly, heavy tail",
    every: 12,
    days: 66,
    onsets: [30.3, 52.6],
    lasting: 0.1,
    make: (random, anomaly) => (i) =>
      (0.1 + 0.03 * Math.sin((2 * Math.PI * i) / 24) + 0.05 * Math.abs(gauss(random)) ** 3) *
      (anomaly(i) ? 9 : 1),
  },
  {
    name: "taxi rides, half-hourly, a day out of step",
    every: 6,
    days: 210,
    onsets: [120, 180],
    lasting: 1,
    make: (random, anomaly) => (i) => {
      const share = dayShare(i, 48)
      const weekend = Math.floor(i / 48) % 7 >= 5
      const mean = 14_000 * (1 - 0.75 * Math.exp(-(((share - (weekend ? 0.25 : 0.19)) / 0.1) ** 2)))
      return mean * (anomaly(i) ? 0.55 : 1) + 600 * gauss(random)
    },
  },
  {
    name: "network bytes, a longer burst",
    every: 1,
    days: 16,
    onsets: [10.7],
    lasting: 0.2,
    make: (random, anomaly) => (i) =>
      (random() < 0.04 ? 3e6 * (0.5 + 3 * random()) : 4e4 * (0.6 + random())) *
      (anomaly(i) ? 9 : 1),
  },
  {
    name: "a day jumps up",
    every: 1,
    days: 14,
    onsets: [10.42],
    lasting: 0.3,
    make: (random, anomaly) => dailyLoad(random, anomaly, () => 105),
  },
  {
    name: "a day jumps down",
    every: 1,
    days: 14,
    onsets: [10.42],
    lasting: 0.3,
    make: (random, anomaly) => dailyLoad(random, anomaly, () => 45),
  },
  {
    name: "a working day without work",
    every: 1,
    days: 14,
    onsets: [10.375],
    lasting: 0.375,
    make: (random, anomaly) => dailyLoad(random, anomaly, () => 22),
  },
  {
    name: "a day with a flat middle",
    every: 1,
    days: 14,
    onsets: [10.4],
    lasting: 0.3,
    make: (random, anomaly) => {
      const noisy = dailyLoad(random, anomaly, () => 0)
      return (i) => (anomaly(i) ? 40 : noisy(i))
    },
  },
  {
    name: "spikes come more often",
    every: 1,
    days: 14,
    onsets: [10.6],
    lasting: 1,
    make: (random, anomaly) => (i) =>
      20 + gauss(random) + (random() < (anomaly(i) ? 0.25 : 0.008) ? 40 : 0),
  },
  {
    name: "a constant, one blip",
    every: 1,
    days: 30,
    onsets: [12, 21],
    lasting: 0.011,
    make: (_, anomaly) => (i) => (anomaly(i) ? 0.4 : 0.25),
  },
  {
    name: "noise, nothing happens",
    every: 1,
    days: 14,
    onsets: [],
    lasting: 0,
    make: (random) => () => 50 + 4 * gauss(random),
  },
  {
    name: "a clean day, nothing happens",
    every: 1,
    days: 14,
    onsets: [],
    lasting: 0,
    make: (random) =>
      dailyLoad(
        random,
        () => false,
        () => 0,
      ),
  },
]

export interface HeldOutFigures {
  readonly falseShare: number
  /** Share of onsets with a score of at least the threshold in their first hour or ten values. */
  readonly found: number
}

/** Normal cycles count from a sixth of the series on, those in and a day behind anomalies do not. */
export function evaluateHeldOut(
  kind: HeldOut,
  seed: number,
  scoresOf: (values: Float64Array) => Float64Array,
  threshold: number,
): HeldOutFigures {
  const starts = kind.onsets.map((at) => Math.round(at * day))
  const isAnomaly = (cycle: number): boolean =>
    starts.some((start) => cycle >= start && cycle < start + kind.lasting * day)
  const valueAt = kind.make(randomFrom(seed), (index) => isAnomaly(index * kind.every))
  const values = new Float64Array(kind.days * day).fill(NaN)
  for (let c = 0; c < values.length; c += kind.every) values[c] = valueAt(c / kind.every)
  const scores = scoresOf(values)
  let normals = 0
  let falseAlarms = 0
  for (let c = Math.floor(values.length / 6); c < values.length; c++) {
    if (Number.isNaN(values[c]) || isAnomaly(c) || isAnomaly(c - day)) continue
    if (starts.some((start) => c >= start && c < start + (kind.lasting + 1) * day)) continue
    normals++
    if (scores[c]! >= threshold) falseAlarms++
  }
  const window = Math.max(12, 10 * kind.every)
  const found = starts.filter((start) =>
    scores.subarray(start, start + window).some((score) => score >= threshold),
  )
  return { falseShare: falseAlarms / normals, found: found.length / starts.length }
}
