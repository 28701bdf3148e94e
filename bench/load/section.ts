/** Inputs of every section of the load, and the parameters of its two sizes. */

import type { BenchSize } from "../parts/populations.ts"
import type { Figure } from "./figures.ts"
import type { Subject } from "./subjects.ts"

export interface SectionContext {
  readonly size: BenchSize
  /** Ours. */
  readonly subject: Subject
  /** Other subjects to run the same samples against, floor included. */
  readonly peers: readonly Subject[]
  /** For the data of all servers; each run takes a folder of its own below it. */
  readonly scratch: string
  /** Midnight UTC that ended yesterday. */
  readonly midnightMs: number
  /** Epoch milliseconds, for samples of now. */
  readonly nowMs: () => number
  readonly cores: number
  /** Number of concurrent collectors; more of them share a group commit. */
  readonly connections: number
  /** One line about what goes on. */
  readonly say: (line: string) => void
}

export type Section = (context: SectionContext) => Promise<Figure[]>

export const dayMs = 86_400_000

export interface LoadSize {
  readonly elements: number
  readonly minutes: number
  /** Elements and minutes of one request. */
  readonly request: { readonly elements: number; readonly minutes: number }
  readonly driveSeconds: number
  readonly settleSeconds: number
}

type Sizes<T> = Readonly<Record<BenchSize, T>>

/** One element × 50 metrics × 1 sample a request: about 6 kB. */
export const agentSizes: Sizes<LoadSize> = {
  canonical: {
    elements: 1000,
    minutes: 60,
    request: { elements: 1, minutes: 1 },
    driveSeconds: 8,
    settleSeconds: 30,
  },
  small: {
    elements: 20,
    minutes: 20,
    request: { elements: 1, minutes: 1 },
    driveSeconds: 2,
    settleSeconds: 5,
  },
}

/** 15 elements × 50 metrics × 20 samples a request: about 1.1 MB. */
export const bulkSizes: Sizes<LoadSize> = {
  canonical: {
    elements: 1000,
    minutes: 100,
    request: { elements: 15, minutes: 20 },
    driveSeconds: 8,
    settleSeconds: 30,
  },
  small: {
    elements: 30,
    minutes: 60,
    request: { elements: 15, minutes: 20 },
    driveSeconds: 2,
    settleSeconds: 5,
  },
}

/** One element of 1 to 200 metrics × 1 sample a request: on average 15 kB. */
export const mixedSizes: Sizes<Omit<LoadSize, "request">> = {
  canonical: { elements: 300, minutes: 60, driveSeconds: 8, settleSeconds: 30 },
  small: { elements: 20, minutes: 20, driveSeconds: 2, settleSeconds: 5 },
}

export const seriesSizes: Sizes<{ readonly elements: number; readonly settleSeconds: number }> = {
  canonical: { elements: 20_000, settleSeconds: 30 },
  small: { elements: 100, settleSeconds: 5 },
}

export const statisticsSizes: Sizes<{
  readonly elements: number
  readonly days: number
  readonly settleSeconds: number
}> = {
  canonical: { elements: 1000, days: 14, settleSeconds: 60 },
  small: { elements: 20, days: 2, settleSeconds: 10 },
}

/** Active series from step to step; each gets this number of samples, over whole minutes. */
export const curveSizes: Sizes<{
  readonly elements: readonly [number, number, number]
  readonly samples: number
  readonly minutesLeast: number
  readonly settleSeconds: number
}> = {
  canonical: {
    elements: [200, 2000, 20_000],
    samples: 2_000_000,
    minutesLeast: 5,
    settleSeconds: 30,
  },
  small: { elements: [5, 10, 20], samples: 5000, minutesLeast: 2, settleSeconds: 5 },
}

/** A sample a minute of every series, simulated hours of it after those that lead in. */
export const daySizes: Sizes<{
  readonly elements: number
  readonly leadHours: number
  readonly hours: number
  /** Simulated seconds in one. */
  readonly speed: number
}> = {
  canonical: { elements: 60, leadHours: 6, hours: 24, speed: 800 },
  small: { elements: 5, leadHours: 1, hours: 2, speed: 1800 },
}

/** A day of one metric to query, and agents that post at the same time. */
export const togetherSizes: Sizes<{
  readonly elements: number
  readonly agents: LoadSize
  readonly seconds: number
  readonly settleSeconds: number
}> = {
  canonical: { elements: 1000, agents: agentSizes.canonical, seconds: 10, settleSeconds: 60 },
  small: { elements: 20, agents: agentSizes.small, seconds: 2, settleSeconds: 10 },
}

export const metricsPerElement = 50
/** Number of concurrent collectors by default. */
export const connectionsDefault = 64
