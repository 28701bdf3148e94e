/** POST `/elements/search/elementAgg/{term}`: elements that pass a filter, counted by a term. */

import { assert } from "../../base/assert.ts"
import { readAggregationBody } from "../../wire/filter/aggregation-body.ts"
import { Problems, shown } from "../../wire/problems.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import { matchedElements, planElementSearch, readDates } from "../filter/activity-filter.ts"
import { printAggregations } from "../filter/aggregations.ts"
import { elementTerms, isElementTerm } from "./element-terms.ts"

export const elementCounts = defineQuery({
  kind: "elementAgg",
  async plan(context, input) {
    const problems = new Problems()
    const term = new QueryParameters(input.params, problems).one("term") ?? ""
    if (!isElementTerm(term)) {
      const accepted = Object.keys(elementTerms).join(", ")
      problems.add(`term: expected one of ${accepted}, got ${shown(term)}`)
    }
    const body = readAggregationBody(input.body, problems)
    const span = body === null ? null : readDates(body, input.nowMs, problems)
    problems.throwIfAny()
    assert(body !== null && isElementTerm(term), "Expected a body without problems to be read")
    const { filter, sort, counted } = body
    const plan = await planElementSearch(context, input.tenant, { filter, span })
    return { ...plan, query: { ...plan.query, sort, counted, term } }
  },
  async answer(context, planned) {
    const { term, sort, counted } = planned.plan.query
    const found = await matchedElements(context, planned)
    return printAggregations(
      context,
      elementTerms[term](context, found, counted),
      sort ?? mostFirst,
    )
  },
})

const mostFirst = { field: "count", descending: true } as const
