/** Costs of the same work on two builds, and their ratios. */

export type BuildName = "pinned" | "now"

/** An alarm: queries of equal builds had 0.84 to 1.25 in two runs, and once 1.42 (results/). */
export const ratioMax = 1.25

interface Cost {
  readonly name: string
  readonly unit: "ms" | "ns a sample"
}

export interface Row extends Cost {
  /** The least that was measured of each build, and the ratio to the pinned one. */
  readonly pinned: number
  readonly now: number
  readonly ratio: number
}

export class Costs {
  private readonly measured = new Map<string, Cost & Readonly<Record<BuildName, number[]>>>()

  add({ name, unit }: Cost, build: BuildName, cost: number): void {
    const known = this.measured.get(name) ?? { name, unit, pinned: [], now: [] }
    this.measured.set(name, known)
    known[build].push(cost)
  }

  rows(): Row[] {
    return [...this.measured.values()].map(({ name, unit, ...of }) => {
      const [pinned, now] = [Math.min(...of.pinned), Math.min(...of.now)]
      return { name, unit, pinned, now, ratio: now / pinned }
    })
  }
}
