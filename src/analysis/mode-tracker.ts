/**
 * Tracks the mode of a metric: the value that it has most of the time, if there is one.
 *
 * A candidate (Boyer and Moore's majority vote) and its exponentially weighted share of the values.
 * After an anomaly, the learned pattern makes a constant look wrong for days; that the value equals
 * the mode shows that it is not.
 */
export class ModeTracker {
  #value = NaN
  #share = 0
  #seen = 0

  /** Whether the value equals nearly all earlier ones; it is then learned. */
  step(value: number): boolean {
    const isCandidate = value === this.#value
    const isUsual = isCandidate && this.#share >= usualShareMin
    this.#share += Math.max(gainMin, 1 / (this.#seen + 1)) * ((isCandidate ? 1 : 0) - this.#share)
    if (!isCandidate && this.#share < replacedBelow) {
      this.#value = value
      this.#share = replacedBelow
    }
    this.#seen++
    return isUsual
  }
}

/** The share averages over two days of values. */
const gainMin = 1 / 576
/** A value that holds only at night, or in most hours, may be wrong at noon. */
const usualShareMin = 0.85
const replacedBelow = 0.5
