/** Search of the records that the caller sees: dashboards, policies, packages, saved views. */

import { bestOf, type SearchableText, type SearchParameters } from "../../query/query.ts"
import type { FoundItem, FoundItems, RecordKind } from "../../wire/search/search-answer.ts"
import { recordKinds } from "../../wire/search/search-answer.ts"
import type { Call, RouteDeps } from "../shared/route.ts"
import { callerOf } from "./call-parameters.ts"

type Searchable = SearchableText<FoundItem>
type ReadAll = (call: Call, deps: RouteDeps) => Promise<readonly Searchable[]>

/** The best records of each kind that was asked for. */
export async function searchRecords(
  call: Call,
  deps: RouteDeps,
  { term, limit, kinds }: SearchParameters,
): Promise<Partial<Record<RecordKind, FoundItems>>> {
  const found: Partial<Record<RecordKind, FoundItems>> = {}
  for (const kind of recordKinds) {
    if (!kinds.has(kind)) continue
    const best = bestOf(await readers[kind](call, deps), term, limit)
    const items = best.list().map(({ thing }) => thing)
    found[kind] = { total: best.total, isPartial: false, items }
  }
  return found
}

const readers: Readonly<Record<RecordKind, ReadAll>> = {
  async dashboards(call, deps) {
    const all = await deps.records.dashboards.list(callerOf(call, deps))
    return all.map(({ id, body }) => named("dashboards", id, body.name, body.description))
  },
  async policies(call, deps) {
    const all = await deps.records.policies.list(call.tenant)
    return all.map(({ id, body }) => named("policies", id, body.name, body.description))
  },
  async packages({ tenant }, deps) {
    const all = await deps.packages.list(tenant)
    return all.map(({ id, name, packageId, version }) => {
      return { ...named("packages", id, name, version), texts: [name, packageId] }
    })
  },
  async views(call, deps) {
    const all = await deps.records.views.list(callerOf(call, deps))
    return all.map(({ id, body: { name, page, query } }) => {
      const thing = { id, title: name, subtitle: page, link: { page, id: query } }
      return { thing, texts: [name] }
    })
  },
}

function named(page: string, id: string, name: string, subtitle: string | null): Searchable {
  const link = { page, id }
  return { thing: { id, title: name, subtitle: subtitle ?? "", link }, texts: [name] }
}
