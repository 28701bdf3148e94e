/**
 * Tail probability of a size among earlier ones: −ln of the probability of it or a larger one.
 *
 * Sizes are counted in exponentially growing bins, with exponentially decaying weights. For sizes
 * beyond all earlier ones there is an exponential tail, to which the excess over a high threshold
 * converges for most distributions (Pickands, Balkema and de Haan; used on streams by Siffer and
 * others, "Anomaly Detection in Streams with Extreme Value Theory", KDD 2017). Here the tail is a
 * prior with the weight of a few values, so that results are continuous, and sensible from the
 * start.
 */

const binsPerDoubling = 8
/** Sizes from 2²⁰ on share the last bin. */
const bins = 20 * binsPerDoubling + 1
/** Smaller sizes count as 0: they are rounding errors, whose ranks mean nothing. */
const sizeMin = 0.02
/** Weight of the exponential prior, in values. */
const priorWeight = 16
/** Upper bound of results: e⁻⁴⁰ is 4·10⁻¹⁸. */
const natsMax = 40
/** Instead of old counts decaying, new ones weigh more; all are scaled down before overflow. */
const weightMax = 1e100

export class TailDistribution {
  readonly #counts = new Float64Array(bins)
  readonly #growth: number
  #weight = 1
  #total = 0
  #meanSum = 0

  /** `memory`: values after which a value's weight has fallen to 1/e. */
  constructor(memory: number) {
    this.#growth = 1 + 1 / memory
  }

  /** −ln P(size or larger) in [0, natsMax], from the learned sizes. `size` ≥ 0. */
  nats(size: number): number {
    if (!(size >= sizeMin)) return 0
    const position = binPosition(size)
    const bin = Math.floor(position)
    let above = this.#counts[bin]! * (bin === bins - 1 ? 1 : 1 - (position - bin))
    for (let i = bin + 1; i < bins; i++) above += this.#counts[i]!
    const prior = priorWeight * this.#weight
    // The prior's typical size is 1; sizes are clipped before they are averaged.
    const scale = (this.#meanSum + prior) / (this.#total + prior)
    const rarity = (above + prior * Math.exp(-size / scale)) / (this.#total + prior)
    return Math.min(natsMax, Math.max(0, -Math.log(rarity)))
  }

  /**
   * As `nats`, for features in which a size between usual ones is rare, too: it is as rare as its
   * own octave. At least `nats`.
   */
  oddNats(size: number): number {
    const nats = this.nats(size)
    if (nats === 0) return 0
    const bin = Math.floor(binPosition(size))
    let near = 0
    const last = Math.min(bins - 1, bin + binsPerDoubling / 2)
    for (let i = Math.max(0, bin - binsPerDoubling / 2); i <= last; i++) near += this.#counts[i]!
    const prior = priorWeight * this.#weight
    const scale = (this.#meanSum + prior) / (this.#total + prior)
    const share = (near + prior * Math.exp(-size / scale)) / (this.#total + prior)
    return Math.min(natsMax, Math.max(nats, -Math.log(share)))
  }

  /** Counts a size with the weight of `count` values. */
  learn(size: number, count = 1): void {
    this.#weight *= this.#growth
    if (this.#weight > weightMax) this.#scaleDown()
    const bin = size >= sizeMin ? Math.floor(binPosition(size)) : 0
    this.#counts[bin] = this.#counts[bin]! + count * this.#weight
    const prior = priorWeight * this.#weight
    const scale = (this.#meanSum + prior) / (this.#total + prior)
    this.#meanSum += count * this.#weight * Math.min(size, 5 * scale)
    this.#total += count * this.#weight
  }

  #scaleDown(): void {
    const factor = 1 / this.#weight
    for (let i = 0; i < bins; i++) this.#counts[i] = this.#counts[i]! * factor
    this.#total *= factor
    this.#meanSum *= factor
    this.#weight = 1
  }
}

function binPosition(size: number): number {
  return Math.min(bins - 1, binsPerDoubling * Math.log2(1 + size))
}
