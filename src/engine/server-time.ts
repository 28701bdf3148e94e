/**
 * Times that the server gives to samples without their own. Equal samples of two batches are one
 * if their times are equal (spec/samples §1), and here nothing says that they are a re-delivery, so
 * that each batch has a later time than those before.
 */

/**
 * A thousand batches a second for as long; commits take longer. A time that is further ahead is of
 * a clock that was set back.
 */
const aheadMsMax = 1_000

export class ServerTime {
  private lastMs = -Infinity

  /** The time of the next batch, which arrived at `nowMs`; both epoch milliseconds. */
  next(nowMs: number): number {
    const laterMs = this.lastMs + 1
    const isAhead = laterMs > nowMs && laterMs - nowMs <= aheadMsMax
    this.lastMs = isAhead ? laterMs : nowMs
    return this.lastMs
  }
}
