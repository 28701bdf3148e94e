/** Series queries as tests ask them. */

import type { ReadStore } from "../../src/store/store.ts"
import { ask, requestOf } from "./fake-store.ts"

export interface Line {
  readonly elementId: string | null
  readonly elementFqn: string | null
  readonly metricId: string | null
  readonly metricFqn: string | null
  readonly unit: string | null
  readonly group: string | null
  readonly isCounter: boolean
  readonly summary: Readonly<Record<string, number | null>>
  readonly values: Readonly<Record<string, readonly (number | null)[]>>
}

export interface QueryAnswer {
  readonly id: string
  readonly status: string
  readonly errors: readonly string[]
  readonly rollup: string | null
  readonly columns: { readonly start: number; readonly step: number; readonly count: number }
  readonly matched: number
  readonly shown: number
  readonly isPartial: boolean
  readonly unit: string | null
  readonly series: readonly Line[]
}

/** The answer of one query, of all series unless it says otherwise. */
export async function querySeries(
  store: ReadStore,
  body: object,
  query: object,
): Promise<QueryAnswer> {
  const queries = [{ id: "a", filter: {}, ...query }]
  const answer = await ask(store, requestOf("seriesQuery", {}, { ...body, queries }))
  return answer.queries[0]
}
