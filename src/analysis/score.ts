/**
 * Anomaly score of a cycle, in [0, 1]: the fraction of earlier cycles that were less surprising.
 *
 * The total surprisal of all metrics is compared with its own past (tail-probability.ts), so that
 * about 1 % of ordinary cycles exceed 0.99 whatever the metrics are. A score depends on earlier
 * cycles only, and learning starts with the first value. A lasting anomaly becomes less surprising:
 * the score marks its onset.
 */

import type { CycleBands } from "./columns.ts"
import { MetricSurprisal } from "./surprisal.ts"
import { TailDistribution } from "./tail-probability.ts"

/** Four weeks, so that one bad day does not make the next one look normal. */
const scoreMemory = 8064

export class CycleScore {
  readonly #surprisals: readonly MetricSurprisal[]
  /** Cycles without values have a tail of their own: an hourly metric has eleven out of twelve. */
  readonly #spoken = new TailDistribution(scoreMemory)
  readonly #silent = new TailDistribution(scoreMemory)

  /** Rare cycles of the current episode, and cycles since the last of them. */
  #episode = 0
  #quiet = 0
  #cycles = 0
  /** The largest surprisal of the episode. */
  #worst = 0
  /** Exponentially weighted fraction of rare cycles. */
  #rareShare = 0

  /** `metrics`: count of the element's metrics. */
  constructor(metrics: number) {
    this.#surprisals = Array.from({ length: metrics }, () => new MetricSurprisal())
  }

  /** Returns the score of a cycle, and learns it. `actual`: NaN if a value is missing. */
  step(actual: Float64Array, bands: CycleBands): number {
    let total = 0
    let isSilent = true
    for (let i = 0; i < this.#surprisals.length; i++) {
      const value = actual[i]!
      if (!Number.isNaN(value)) isSilent = false
      const distance = Math.abs(value - bands.contextualMean[i]!) / bands.contextualStddev[i]!
      const contextual = Number.isNaN(distance) ? 0 : distance
      const nats = this.#surprisals[i]!.step(
        value,
        bands.expectedMean[i]!,
        bands.expectedStddev[i]!,
        contextual,
      )
      total += nats * nats * nats
    }
    const surprisal = Math.cbrt(total)
    if (isSilent) return this.#score(surprisal, this.#silent)
    return this.#score(Math.max(0, surprisal - ordinarySurprise), this.#spoken)
  }

  /** Turns surprisal into a score; cycles after an onset count less and are learned less. */
  #score(surprisal: number, tail: TailDistribution): number {
    const isRare = tail.nats(surprisal) >= episodeNats
    if (isRare) {
      // A much larger surprisal is a new onset within the same episode.
      const isOnset = this.#episode > onsetCycles && surprisal > newsFactor * this.#worst
      this.#episode = isOnset ? 2 : this.#episode + 1
      this.#worst = Math.max(surprisal, this.#worst * worstKept)
      this.#quiet = 0
    } else if (++this.#quiet >= quietMax) this.#episode = this.#worst = 0
    const late = Math.max(0, this.#episode - onsetCycles)
    const fresh = surprisal * Math.exp(-late / fadeCycles)
    const nats = tail.nats(fresh)
    tail.learn(fresh, this.#episode > 1 && isRare ? this.#followerWeight() : 1)
    this.#rareShare += rareGain * ((nats >= episodeNats ? 1 : 0) - this.#rareShare)
    this.#cycles++
    return 1 - Math.exp(-Math.min(nats, certaintyPower * Math.log(this.#cycles)))
  }

  /** If more than one cycle in a hundred is rare, episodes are ordinary: all their cycles count. */
  #followerWeight(): number {
    const excess = this.#rareShare / rareShare - 1
    return Math.min(1, Math.max(followerWeight, excess))
  }
}

/** The nth cycle scores at most 1 − 1/n²: a few values give a poor estimate of rarity. */
const certaintyPower = 2
/** Smaller surprisal counts as 0: among cycles without any, a trace must not look rare. */
const ordinarySurprise = 2
/** A cycle rarer than one in a hundred begins or continues an episode. */
const episodeNats = Math.log(100)
/** An hour without a rare cycle ends the episode. */
const quietMax = 12
/** The first half hour of an episode counts in full; then its weight decays. */
const onsetCycles = 6
const fadeCycles = 36
const newsFactor = 1.5
/** The maximum decays, so that a long episode is compared with its last day. */
const worstKept = 1 - 1 / 288
/** Weight with which further cycles of an episode are learned: an episode is one event. */
const followerWeight = 0.15
/** Intended fraction of rare cycles, averaged over two weeks. */
const rareShare = 0.01
const rareGain = 1 / 4032
