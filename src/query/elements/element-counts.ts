/** POST `/elements/search/elementAgg/{term}`: elements that pass a filter, counted by a term. */

import { readAggregationBody } from "../../wire/filter/aggregation-body.ts"
import { shown } from "../../wire/problems.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import { matchedElements, planElementSearch, readDates } from "../filter/activity-filter.ts"
import { printAggregations } from "../filter/aggregations.ts"
import { elementTerms, isElementTerm } from "./element-terms.ts"

export const elementCounts = defineQuery({
  kind: "elementAgg",
  parse(input, problems) {
    const term = new QueryParameters(input.params, problems).one("term") ?? ""
    if (!isElementTerm(term)) {
      const accepted = Object.keys(elementTerms).join(", ")
      problems.add(`term: expected one of ${accepted}, got ${shown(term)}`)
    }
    const body = readAggregationBody(input.body, problems)
    const span = body === null ? null : readDates(body, input.nowMs, problems)
    return body === null || !isElementTerm(term) ? null : { ...body, span, term }
  },
  async plan(context, { filter, span, sort, counted, term }, { tenant }) {
    const plan = await planElementSearch(context, tenant, { filter, span })
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
