/**
 * How surprising it is that something goes on, such as silence or an unchanged value.
 *
 * A chain of two states (going on or not) learns how often a stretch begins and how often it is
 * continued; a stretch of n cycles has probability begin · continueⁿ⁻¹. So an hourly metric may be
 * silent for eleven cycles, and one that is quiet every night may be quiet.
 */
export class RunLength {
  #length = 0
  /** A stretch since the first value says nothing of how long one lasts: a constant has no other. */
  #hasEnded = false
  #begins = new RunShare()
  #continues = new RunShare()

  /** −ln of the probability of the stretch so far, beyond what is ordinary. */
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

/** A stretch that one in twenty reaches is nothing to speak of. */
const ordinaryNats = 3

/** How often something happened of late, as a probability that is never 0 or 1. */
class RunShare {
  #count = 0
  #share = 0.5

  nats(): number {
    return -Math.log(this.#share)
  }

  /** Takes over another share while nothing of its own was learned: as if each cycle were alone. */
  assume(other: RunShare): void {
    if (this.#count === 0) this.#share = Math.max(assumedMin, other.#share)
  }

  learn(happened: boolean): void {
    this.#count = Math.min(this.#count + 1, countMax)
    const wish = happened ? 1 : 0
    this.#share += (wish - this.#share) / (this.#count + 1)
    this.#share = Math.min(1 - shareMin, Math.max(shareMin, this.#share))
  }
}

/** A week of cycles is remembered. */
const countMax = 2016
const shareMin = 1e-4
/** A first stretch grows rarer by 1.6 nats a cycle at most. */
const assumedMin = 0.2
