/**
 * The one value that a metric has most of the time, if there is one.
 *
 * A candidate (Boyer and Moore's majority vote) and its share of the latest values, older ones
 * fading. What is left of an anomaly in a pattern makes a constant look wrong for days; the value
 * itself is what tells that all is well.
 */
export class ModeTracker {
  #value = NaN
  #share = 0
  #seen = 0

  /** Whether the value is the one of nearly all values before; it is then learned. */
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

/** Two days of values are remembered. */
const gainMin = 1 / 576
/** A value of nights only, or of most hours, may be wrong at noon. */
const usualShareMin = 0.85
const replacedBelow = 0.5
