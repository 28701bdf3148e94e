/**
 * One anomaly score a cycle, in [0, 1]: the share of earlier cycles that were less surprising.
 *
 * The surprise of all metrics together is judged by its own past (tail.ts), so that 0.99 is
 * exceeded in about 1 % of ordinary cycles whatever the metrics are like. A score depends on
 * nothing later, and learning starts with the first value. An anomaly that goes on grows less
 * surprising: what is marked is its beginning.
 */

import type { CycleBands } from "./columns.ts"
import { MetricSurprisal } from "./surprisal.ts"
import { TailDistribution } from "./tail-probability.ts"

/** Four weeks: a bad day must not make the next one look normal. */
const scoreMemory = 8064

export class CycleScore {
  readonly #surprises: readonly MetricSurprisal[]
  /** Silence is compared with silence: an hourly metric is silent eleven times out of twelve. */
  readonly #spoken = new TailDistribution(scoreMemory)
  readonly #silent = new TailDistribution(scoreMemory)

  /** Rare cycles of the current episode, and cycles since the last of them. */
  #episode = 0
  #quiet = 0
  #judged = 0
  /** The largest surprise of the episode. */
  #worst = 0
  /** Share of rare cycles of late. */
  #rareShare = 0

  /** For an element with so many metrics. */
  constructor(metrics: number) {
    this.#surprises = Array.from({ length: metrics }, () => new MetricSurprisal())
  }

  /** The score of a cycle, which is then learned. `actual`: NaN where a value is missing. */
  step(actual: Float64Array, bands: CycleBands): number {
    let total = 0
    let isSilent = true
    for (let i = 0; i < this.#surprises.length; i++) {
      const value = actual[i]!
      if (!Number.isNaN(value)) isSilent = false
      const distance = Math.abs(value - bands.contextualMean[i]!) / bands.contextualStddev[i]!
      const contextual = Number.isNaN(distance) ? 0 : distance
      const nats = this.#surprises[i]!.step(
        value,
        bands.expectedMean[i]!,
        bands.expectedStddev[i]!,
        contextual,
      )
      total += nats * nats * nats
    }
    const surprise = Math.cbrt(total)
    if (isSilent) return this.#judge(surprise, this.#silent)
    return this.#judge(Math.max(0, surprise - ordinarySurprise), this.#spoken)
  }

  /** Rarity of a surprise as a score; what follows an onset counts less and is learned less. */
  #judge(surprise: number, tail: TailDistribution): number {
    const isRare = tail.nats(surprise) >= episodeNats
    if (isRare) {
      // Something much wilder than what goes on is news again, though of the same episode.
      const isNews = this.#episode > onsetCycles && surprise > newsFactor * this.#worst
      this.#episode = isNews ? 2 : this.#episode + 1
      this.#worst = Math.max(surprise, this.#worst * worstKept)
      this.#quiet = 0
    } else if (++this.#quiet >= quietMax) this.#episode = this.#worst = 0
    const late = Math.max(0, this.#episode - onsetCycles)
    const fresh = surprise * Math.exp(-late / fadeCycles)
    const nats = tail.nats(fresh)
    tail.learn(fresh, this.#episode > 1 && isRare ? this.#followerWeight() : 1)
    this.#rareShare += rareGain * ((nats >= episodeNats ? 1 : 0) - this.#rareShare)
    this.#judged++
    return 1 - Math.exp(-Math.min(nats, certaintyPower * Math.log(this.#judged)))
  }

  /** Where more than one cycle in a hundred is rare, episodes are ordinary: all of them count. */
  #followerWeight(): number {
    const excess = this.#rareShare / rareShare - 1
    return Math.min(1, Math.max(followerWeight, excess))
  }
}

/** The nth cycle scores at most 1 − 1/n²: what a few values tell of rarity is a guess. */
const certaintyPower = 2
/** Less is no surprise: among cycles without any, a trace of one must not look rare. */
const ordinarySurprise = 2
/** Rarer than one in a hundred: an episode begins or goes on. */
const episodeNats = Math.log(100)
/** An hour without such a cycle ends it. */
const quietMax = 12
/** For half an hour an episode is news; then it fades. */
const onsetCycles = 6
const fadeCycles = 36
const newsFactor = 1.5
/** An episode that goes on for days is compared with its last day. */
const worstKept = 1 - 1 / 288
/** Cycles of one episode are one event rather than many. */
const followerWeight = 0.15
/** The share of rare cycles that is meant, as seen in two weeks. */
const rareShare = 0.01
const rareGain = 1 / 4032
