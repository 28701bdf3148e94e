/** Search of the records that the caller sees: dashboards, policies, packages, saved views. */

import { bestOf, type SearchableText, type SearchParameters } from "../../query/query.ts"
import type { FoundItem, FoundItems, RecordKind } from "../../wire/search/search-answer.ts"
import { recordKinds } from "../../wire/search/search-answer.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { Caller } from "../../records/core/caller.ts"
import { isDashboardVisible } from "../../records/dashboards/dashboards.ts"
import { isViewVisible } from "../../records/dashboards/saved-views.ts"
import type { NamedRecord } from "../shared/named-record.ts"
import type { Call, RouteDeps } from "../shared/route.ts"
import { callerOf } from "./call-parameters.ts"

type Searchable = SearchableText<FoundItem>

type ReadAll = (tenant: TenantIndex, deps: RouteDeps) => Promise<readonly NamedRecord[]>

/** The best records of each kind that was asked for. */
export async function searchRecords(
  call: Call,
  deps: RouteDeps,
  { term, limit, kinds }: SearchParameters,
): Promise<Partial<Record<RecordKind, FoundItems>>> {
  const found: Partial<Record<RecordKind, FoundItems>> = {}
  for (const kind of recordKinds) {
    if (!kinds.has(kind)) continue
    const best = bestOf(await visible(kind, call, deps), term, limit)
    const items = best.list().map(({ thing }) => thing)
    found[kind] = { total: best.total, isPartial: false, items }
  }
  return found
}

async function visible(kind: RecordKind, call: Call, deps: RouteDeps): Promise<NamedRecord[]> {
  const { tenant } = call
  const { documents, read } = readers[kind]
  const all = await deps.recordNames.of(`${documents}:${tenant}`, () => read(tenant, deps))
  const caller = callerOf(call, deps)
  return all.filter(({ isVisible }) => isVisible(caller))
}

const toAll = (): boolean => true

/** By kind: the kind of its documents, and how all of a tenant are read. */
const readers: Readonly<
  Record<RecordKind, { readonly documents: string; readonly read: ReadAll }>
> = {
  dashboards: {
    documents: "dashboard",
    async read(tenant, deps) {
      const all = await deps.records.dashboards.all(tenant)
      return all.map(({ id, body }) => {
        const { creatorEmail, private: isPrivate } = body
        const isVisible = (caller: Caller): boolean =>
          isDashboardVisible({ creatorEmail, private: isPrivate }, caller)
        return { ...named("dashboards", id, body.name, body.description), isVisible }
      })
    },
  },
  policies: {
    documents: "policy",
    async read(tenant, deps) {
      const all = await deps.records.policies.list(tenant)
      return all.map(({ id, body }) => {
        return { ...named("policies", id, body.name, body.description), isVisible: toAll }
      })
    },
  },
  packages: {
    documents: "package",
    async read(tenant, deps) {
      const all = await deps.packages.list(tenant)
      return all.map(({ id, name, packageId, version }) => {
        const texts = [name, packageId]
        return { ...named("packages", id, name, version), texts, isVisible: toAll }
      })
    },
  },
  views: {
    documents: "view",
    async read(tenant, deps) {
      const all = await deps.records.views.all(tenant)
      return all.map(({ id, body: { name, page, query, shared, creatorEmail } }) => {
        const thing = { id, title: name, subtitle: page, link: { page, id: query } }
        const isVisible = (caller: Caller): boolean =>
          isViewVisible({ shared, creatorEmail }, caller)
        return { thing, texts: [name], isVisible }
      })
    },
  },
}

function named(page: string, id: string, name: string, subtitle: string | null): Searchable {
  const link = { page, id }
  return { thing: { id, title: name, subtitle: subtitle ?? "", link }, texts: [name] }
}
