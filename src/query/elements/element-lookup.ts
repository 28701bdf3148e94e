/**
 * What other rooms ask about elements by name: events show what is known of theirs, policies count
 * those that they watch. The questions come from our own handlers, which have judged them.
 */

import { ServiceError } from "../../base/errors.ts"
import type { ElementInfo, NameValue } from "../../model/element.ts"
import type { EventElement } from "../../model/records/event.ts"
import type { PolicyScope } from "../../model/records/policy.ts"
import { ScopeMatcher, type ScopeSubject } from "../../policy/scope.ts"
import type { JsonText } from "../../wire/json.ts"
import { shown } from "../../wire/problems.ts"
import type { QueryRequest } from "../core/request.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import { withoutSamples } from "../core/query-context.ts"

/** Asks what is known of elements: the body of the request. */
export interface ElementLookupBody {
  readonly elementFqns: readonly string[]
}

/** What is known of elements, by FQN; the unknown ones are left out. */
export type ElementLookupAnswer = Readonly<Record<string, ElementSummary>>

export interface ElementSummary extends EventElement {
  readonly id: string
  readonly attributes: readonly NameValue[]
  /** Those that people set; `tags` holds them too. */
  readonly serviceTags: readonly NameValue[]
}

/** Asks which policies watch an element, or how many elements each watches. */
export interface ScopeCountsBody {
  readonly scopes: Readonly<Record<string, PolicyScope>>
}

/** `elements`: by policy, how many; or of the one element that was asked for, 1 or 0. */
export interface ScopeCountsAnswer {
  readonly elements: Readonly<Record<string, number>>
}

export interface ElementLookupQuery {
  readonly kind: "elementFacts"
  readonly tenant: number
  readonly elementFqns: readonly string[]
}

export interface ScopeCountsQuery {
  readonly kind: "scopes"
  readonly tenant: number
  /** Null asks for all. */
  readonly element: number | null
  readonly scopes: ScopeCountsBody["scopes"]
}

export function planElementFacts(request: QueryRequest): QueryPlanOf<ElementLookupQuery> {
  const { elementFqns } = request.body as ElementLookupBody
  return withoutSamples({ kind: "elementFacts", tenant: request.tenant, elementFqns })
}

/** Throws `missing` where one element is asked for and there is none. */
export function planScopes(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<ScopeCountsQuery> {
  const { tenant, params } = request
  const { scopes } = request.body as ScopeCountsBody
  const id = params["elementId"]?.[0]
  if (id === undefined) return withoutSamples({ kind: "scopes", tenant, element: null, scopes })
  const element = reader.ids.findElement(tenant, id)
  if (element < 0 || reader.store.catalogue.isDeleted(element)) {
    throw new ServiceError("missing", `Cannot find element ${shown(id)}`)
  }
  return withoutSamples({ kind: "scopes", tenant, element, scopes })
}

export function answerElementFacts(
  reader: QueryContext,
  { tenant, elementFqns }: ElementLookupQuery,
): JsonText {
  const { catalogue } = reader.store
  const facts = new Map<string, ElementLookupAnswer[string]>()
  for (const fqn of elementFqns) {
    reader.budget.step()
    const element = reader.ids.findElement(tenant, fqn)
    if (element < 0 || catalogue.isDeleted(element)) continue
    const info = catalogue.elementInfo(element)
    const { name, type, location, attributes, serviceTags = [] } = info
    const id = reader.ids.elementId(element)
    const tags = effectiveTags(info)
    facts.set(fqn, { id, name, type, location, tags, attributes, serviceTags })
  }
  return JSON.stringify(Object.fromEntries(facts))
}

export function answerScopes(reader: QueryContext, question: ScopeCountsQuery): JsonText {
  const { tenant, element, scopes } = question
  const matchers = Object.entries(scopes).map(
    ([id, scope]) => [id, new ScopeMatcher(scope)] as const,
  )
  const counts = new Map(matchers.map(([id]) => [id, 0]))
  for (const subject of element === null ? all(reader, tenant) : [subjectOf(reader, element)]) {
    for (const [id, matcher] of matchers) {
      reader.budget.check()
      if (matcher.matches(subject)) counts.set(id, counts.get(id)! + 1)
    }
  }
  const answer: ScopeCountsAnswer = { elements: Object.fromEntries(counts) }
  return JSON.stringify(answer)
}

function* all(reader: QueryContext, tenant: number): Iterable<ScopeSubject> {
  const { catalogue } = reader.store
  for (let element = 0; element < catalogue.elementCount; element++) {
    if (catalogue.elementTenant(element) !== tenant || catalogue.isDeleted(element)) continue
    yield subjectOf(reader, element)
  }
}

function subjectOf(reader: QueryContext, element: number): ScopeSubject {
  const { catalogue } = reader.store
  const info = catalogue.elementInfo(element)
  const { name, type, attributes } = info
  return { fqn: catalogue.elementFqn(element), name, type, attributes, tags: effectiveTags(info) }
}

/** What a person set wins over what was posted under that name. */
function effectiveTags({ tags, serviceTags = [] }: ElementInfo): readonly NameValue[] {
  if (serviceTags.length === 0) return tags
  const set = new Set(serviceTags.map(({ name }) => name))
  return [...tags.filter(({ name }) => !set.has(name)), ...serviceTags]
}
