/**
 * Surprisal of the length of a run, such as one of missing or of unchanged values.
 *
 * A Markov chain of two states (in a run or not) learns how often a run begins and how often it
 * continues; a run of n cycles has probability begin · continueⁿ⁻¹. So an hourly metric may be
 * silent for eleven cycles, and a metric without values at night is no surprise at night.
 */
export class RunLength {
  #length = 0
  /** False in a run since the first value: its length says nothing, a constant has no other. */
  #hasEnded = false
  #begins = new RunShare()
  #continues = new RunShare()

  /** −ln of the probability of the run so far, minus `ordinaryNats`; 0 if there is no run. */
  step(isGoingOn: boolean): number {
    if (this.#length === 1) this.#continues.assume(this.#begins)
    const share = this.#length === 0 ? this.#begins : this.#continues
    if (!isGoingOn) this.#hasEnded = true
    const nats = isGoingOn && this.#hasEnded ? this.#nats + share.nats() : 0
    share.learn(isGoingOn)
    this.#length = isGoingOn ? this.#length + 1 : 0
    this.#nats = nats
    return Math.max(0, nats - ordinaryNats)
  }

  #nats = 0
}

/** Runs as long as one in twenty are ordinary. */
const ordinaryNats = 3

/** Exponentially weighted frequency of an event, as a probability that is never 0 or 1. */
class RunShare {
  #count = 0
  #share = 0.5

  nats(): number {
    return -Math.log(this.#share)
  }

  /** Copies another share while nothing was learned: as if cycles were independent. */
  assume(other: RunShare): void {
    if (this.#count === 0) this.#share = Math.max(assumedMin, other.#share)
  }

  learn(happened: boolean): void {
    this.#count = Math.min(this.#count + 1, countMax)
    const outcome = happened ? 1 : 0
    this.#share += (outcome - this.#share) / (this.#count + 1)
    this.#share = Math.min(1 - shareMin, Math.max(shareMin, this.#share))
  }
}

/** The share averages over a week of cycles. */
const countMax = 2016
const shareMin = 1e-4
/** Limits the surprisal of a first run to 1.6 nats a cycle. */
const assumedMin = 0.2
