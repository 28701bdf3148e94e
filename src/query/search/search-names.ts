/**
 * GET `/search`: elements, metric names and tags by a part of their text, best ones first
 * (spec/search §1). The records that people make are searched by the handler, which knows who
 * may see them.
 */

import {
  searchCharactersMax,
  searchResultsDefault,
  searchResultsMax,
} from "../../base/limits/search.ts"
import { catalogueKinds, searchKinds, type SearchKind } from "../../wire/search/search-answer.ts"
import type { CatalogueKind, FoundItems } from "../../wire/search/search-answer.ts"
import { shown, type Problems } from "../../wire/problems.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import { withoutSamples } from "../core/query-plan.ts"
import { finders } from "./finders.ts"
import { searchTermOf, type SearchTerm } from "../names/rank.ts"

export const searchNames = defineQuery({
  kind: "search",
  parse(input, problems) {
    const { term, limit, kinds } = readSearchParameters(input.params, problems)
    return { term, limit, nowMs: input.nowMs, kinds: catalogueKinds.filter((k) => kinds.has(k)) }
  },
  plan: (_, query) => withoutSamples(query),
  async answer(context, { plan, tenant }) {
    const { catalogue } = context.store
    const names = context.names.of(catalogue, tenant, context.budget)
    const answer: Partial<Record<CatalogueKind, FoundItems>> = {}
    for (const kind of plan.query.kinds) {
      answer[kind] = await finders[kind]({ context, names, ...plan.query })
    }
    return JSON.stringify(answer)
  },
})

export interface SearchParameters {
  readonly term: SearchTerm
  /** Results of each kind. */
  readonly limit: number
  readonly kinds: ReadonlySet<SearchKind>
}

/** Reads the parameters of a search; meaningless if a problem was added. */
export function readSearchParameters(
  params: Readonly<Record<string, readonly string[]>>,
  problems: Problems,
): SearchParameters {
  const asked = new QueryParameters(params, problems)
  const text = asked.one("q") ?? ""
  if (text === "" || text.length > searchCharactersMax) {
    problems.add(`q: expected 1 to ${searchCharactersMax} characters, got ${shown(text)}`)
  }
  const limit = readLimit(asked, problems)
  return { term: searchTermOf(text), limit, kinds: readKinds(asked.many("kinds"), problems) }
}

/** The parameter `limit`, or its default; meaningless if a problem was added. */
export function readLimit(asked: QueryParameters, problems: Problems): number {
  const text = asked.one("limit")
  const limit = text === undefined ? searchResultsDefault : wholeNumberOf(text)
  if (!(limit >= 1 && limit <= searchResultsMax)) {
    const expected = `expected a whole number from 1 to ${searchResultsMax}`
    problems.add(`limit: ${expected}, got ${shown(text)}`)
  }
  return limit
}

function wholeNumberOf(text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : NaN
}

function readKinds(texts: readonly string[], problems: Problems): ReadonlySet<SearchKind> {
  for (const text of texts) {
    if (searchKinds.some((kind) => kind === text)) continue
    problems.add(`kinds: expected some of ${searchKinds.join(", ")}, got ${shown(text)}`)
  }
  return new Set(searchKinds.filter((kind) => texts.length === 0 || texts.includes(kind)))
}
