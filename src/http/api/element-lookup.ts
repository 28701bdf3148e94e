/** Element lookup: queries about elements that handlers of the main thread need. */

import type { PolicyScope } from "../../model/records/policy.ts"
import type { EventElementLookup } from "../../records/incidents/events.ts"
import type {
  QueryRequest,
  ElementLookupAnswer,
  ElementLookupBody,
  ScopeCountsAnswer,
  ScopeCountsBody,
} from "../../query/query.ts"
import type { Call, RouteDeps } from "../shared/route.ts"

/** Answers what is known of elements, for as long as the call lasts. */
export function elementFactsOf(call: Call, deps: RouteDeps): EventElementLookup {
  return async (elementFqns) => {
    const body: ElementLookupBody = { elementFqns }
    const answer = await runQuery<ElementLookupAnswer>(call, deps, {
      ...asking(call),
      kind: "elementLookup",
      body,
    })
    return new Map(Object.entries(answer))
  }
}

/** The id of an element, which is given by id or FQN. Throws `missing` if it does not exist. */
export async function elementIdOf(call: Call, deps: RouteDeps, element: string): Promise<string> {
  return (await elementOf(call, deps, element)).id
}

/** The FQN, likewise. */
export async function elementFqnOf(call: Call, deps: RouteDeps, element: string): Promise<string> {
  return (await elementOf(call, deps, element)).fqn
}

async function elementOf(call: Call, deps: RouteDeps, element: string) {
  const params = { elementId: [element] }
  const answer = await runQuery<{ element: { id: string; fqn: string } }>(call, deps, {
    ...asking(call),
    kind: "element",
    params,
    body: null,
  })
  return answer.element
}

/**
 * The number of elements that each policy watches, by policy id; with `element`, 1 or 0. Throws
 * `missing` if that element does not exist.
 */
export async function countWatchedElements(
  { call, deps, element }: { call: Call; deps: RouteDeps; element?: string },
  scopes: Readonly<Record<string, PolicyScope>>,
): Promise<ReadonlyMap<string, number>> {
  const body: ScopeCountsBody = { scopes }
  const params: QueryRequest["params"] = element === undefined ? {} : { elementId: [element] }
  const request = { ...asking(call), kind: "scopes", params, body } as const
  const { elements } = await runQuery<ScopeCountsAnswer>(call, deps, request)
  return new Map(Object.entries(elements))
}

function asking({ tenant, nowMs }: Call) {
  return { tenant, nowMs, params: {} }
}

async function runQuery<Answer>(
  call: Call,
  deps: RouteDeps,
  request: QueryRequest,
): Promise<Answer> {
  return (await deps.runQuery(request, call.requester)).json() as Answer
}
