/**
 * The regular expressions of one query. Each is compiled once, however often it occurs in a
 * filter, and tried once on each text: values of tags come again with every element. What is tried
 * is counted against the budget of the query.
 */

import type { QueryBudget } from "../../base/query-budget.ts"
import { memoizedTextsPerQueryMax } from "../../base/limits/queries.ts"
import { compilePattern } from "../../base/text/pattern.ts"

export class PatternCache {
  readonly budget: QueryBudget
  private readonly remembers: boolean
  private readonly tests = new Map<string, (text: string) => boolean>()
  private remembered = 0

  /** `remembers: false`: for texts of which none comes twice, such as names of metrics. */
  constructor(budget: QueryBudget, { remembers }: { readonly remembers: boolean }) {
    this.budget = budget
    this.remembers = remembers
  }

  /** Whether some part of a text matches. The expression was judged before (`patternProblem`). */
  test(expression: string, caseless: boolean): (text: string) => boolean {
    const key = `${caseless ? "i" : "c"}${expression}`
    let test = this.tests.get(key)
    if (test === undefined) {
      // The longest takes 3 ms to compile, and a filter may have 64.
      this.budget.check()
      const pattern = compilePattern(expression, { caseless })
      const tried = (text: string): boolean => {
        this.budget.chargeText(text.length)
        return pattern.test(text)
      }
      test = this.remembers ? this.remembering(tried) : tried
      this.tests.set(key, test)
    }
    return test
  }

  private remembering(test: (text: string) => boolean): (text: string) => boolean {
    const known = new Map<string, boolean>()
    return (text) => {
      const said = known.get(text)
      if (said !== undefined) return said
      const says = test(text)
      if (this.remembered < memoizedTextsPerQueryMax) {
        this.remembered++
        known.set(text, says)
      }
      return says
    }
  }
}
