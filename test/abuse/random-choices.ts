/** Dice: repeatable choices, so that a seed replays a run. */

export class RandomChoices {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** Below 2^32 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number {
    return this.next() % bound
  }

  of<T>(options: readonly T[]): T {
    return options[this.below(options.length)]!
  }
}
