/** Choices of a simulation, which a sequence of random numbers in [0, 1) repeats. */
export class SeededChoices {
  private readonly random: () => number

  constructor(random: () => number) {
    this.random = random
  }

  /** A whole number in [0, end). */
  below(end: number): number {
    return Math.floor(this.random() * end)
  }

  /** True for this share of the calls. */
  chance(share: number): boolean {
    return this.random() < share
  }

  pick<T>(things: readonly T[]): T {
    return things[this.below(things.length)]!
  }
}
