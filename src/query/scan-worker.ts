/** Helper: does parts of questions that another thread was asked; needs no catalogue. */

import { assert } from "../base/assert.ts"
import type { QueryBudget } from "../base/query-budget.ts"
import { ToldPlaces, type OpenSamples, type SeriesReader } from "../store/store.ts"
import type { QueryPlan } from "./query.ts"
import { helpWithParts, type HelperSide } from "./parallel/work-sharing.ts"
import { statisticsOfPart } from "./statistics/statistics.ts"

const none = new Int32Array(0)
const nowhere = new ToldPlaces({
  series: none,
  places: none,
  codes: new Uint8Array(0),
  blocks: none,
  blockSizes: none,
})

export class Helper {
  readonly store: SeriesReader
  readonly budget: QueryBudget

  /** `budget`: of this thread, whose question others may end. */
  constructor(store: SeriesReader, budget: QueryBudget) {
    this.store = store
    this.budget = budget
  }

  /** Does parts of a plan that has a spread, until none is free; failing, it leaves them free. */
  help({ question, spread }: QueryPlan, open: OpenSamples | null, side: HelperSide): void {
    assert(question.kind === "statistics", `Expected no ${question.kind} in parts`)
    assert(spread !== undefined, "Expected a question in parts")
    this.store.tell(new ToldPlaces(spread.places))
    helpWithParts(spread.parts, statisticsOfPart(this, question, open), side)
    // Those of 100,000 series take some megabytes.
    this.store.tell(nowhere)
  }
}
