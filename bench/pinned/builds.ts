/** The two builds that are compared, and what a measurement of them is given. */

import type { BenchSize } from "../parts/populations.ts"
import { type Subject, tidegauge } from "../load/subjects.ts"
import type { BuildName, Costs } from "./costs.ts"

/** The `main.js` of each. */
export type Builds = Readonly<Record<BuildName, string>>

export interface Measuring {
  readonly builds: Builds
  /** A folder for stores. */
  readonly scratch: string
  readonly size: BenchSize
  readonly costs: Costs
  /** One line about what goes on. */
  readonly say: (line: string) => void
}

export function subjectOf({ builds }: Pick<Measuring, "builds">, build: BuildName): Subject {
  return tidegauge(builds[build], { name: build })
}

/** Both, in an order that turns with each round: none is always first. */
export function inTurn(round: number): readonly BuildName[] {
  return round % 2 === 0 ? ["pinned", "now"] : ["now", "pinned"]
}
