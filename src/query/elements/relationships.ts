/**
 * GET `/elements/{id}/relationships`: the elements around one, as a graph. Relations are posted by
 * one side and followed from both.
 *
 *   A posts `relations: [B]`   ──►   edge  B ─ member of ─► A
 */

import { QueryBudget } from "../../base/query-budget.ts"
import { invalid } from "../../base/errors.ts"
import { relatedElementsMax, relationshipLevelsMax } from "../../base/limits.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { Span } from "../../model/span.ts"
import { Problems, shown } from "../../wire/problems.ts"
import { printRelationships } from "../../wire/elements/relationships-result.ts"
import type { QueryRequest } from "../core/request.ts"
import { exactTexts } from "../filter/parameter-filter.ts"
import type { Answering } from "../metrics/metric-query.ts"
import { resolveElement } from "./resolve-path.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import { planElementSearch, matchedElements, type PartialMatch } from "../filter/activity-filter.ts"
import { readWindowParameters, hasWindow, readWindow } from "../core/window.ts"
import type { JsonText } from "../../wire/json.ts"

export interface RelationshipsQuery extends PartialMatch {
  readonly kind: "relationships"
  readonly element: number
  readonly levels: number
}

/** Throws `missing` where there is no such element, `invalid` where its surroundings are too many. */
export function planRelationships(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<RelationshipsQuery> {
  const problems = new Problems()
  const params = new QueryParameters(request.params, problems)
  const levels = readLevels(params.one("levels"), problems)
  const span = readSpan(params, request.nowMs, problems)
  problems.throwIfAny()
  const element = resolveElement(reader, request)
  const related = relatedTo(reader, { element, levels })
  const ids = related.map((one) => reader.ids.elementId(one))
  const filter = { elementIds: exactTexts(ids) }
  const planned = planElementSearch(reader, request.tenant, { filter, span })
  return { ...planned, question: { ...planned.question, kind: "relationships", element, levels } }
}

export function answerRelationships(
  reader: QueryContext,
  asked: Answering<RelationshipsQuery>,
): JsonText {
  const { element, levels } = asked.plan.question
  const { ids, store } = reader
  const { catalogue } = store
  const seen = matchedElements(reader, asked.tenant, asked)
  const shownElements = relatedTo(reader, { element, levels }).filter(
    (one) => one === element || seen.has(one),
  )
  const graph = new RelationGraph(catalogue, asked.tenant, reader.budget)
  return printRelationships({
    nodes: shownElements.map((one) => ({
      id: ids.elementId(one),
      fqn: catalogue.elementFqn(one),
      name: catalogue.elementInfo(one).name,
      type: catalogue.elementInfo(one).type,
    })),
    edges: edgesBetween(graph, shownElements).map(([source, target]) => ({
      source: ids.elementId(source),
      target: ids.elementId(target),
    })),
  })
}

function readLevels(text: string | undefined, problems: Problems): number {
  if (text === undefined) return 1
  const levels = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (levels >= 1 && levels <= relationshipLevelsMax) return levels
  problems.add(
    `levels: expected a whole number from 1 to ${relationshipLevelsMax}, got ${shown(text)}`,
  )
  return 1
}

/** null where no time is named: then elements need not have had data. */
function readSpan(params: QueryParameters, nowMs: number, problems: Problems): Span | null {
  const asked = readWindowParameters(params)
  return hasWindow(asked) ? readWindow(asked, nowMs, problems) : null
}

function relatedTo(
  { store, budget }: QueryContext,
  { element, levels }: { readonly element: number; readonly levels: number },
): number[] {
  const { catalogue } = store
  const graph = new RelationGraph(catalogue, catalogue.elementTenant(element), budget)
  const found = within(graph, { root: element, levels, max: relatedElementsMax })
  if (found !== null) return found
  throw invalid(
    `levels: more than ${relatedElementsMax} elements are within ${levels} levels of ` +
      `${shown(catalogue.elementFqn(element))}: ask for fewer levels`,
  )
}

/** Who posted relations to whom; elements that do not exist, or were deleted, are no part of it. */
export class RelationGraph {
  private readonly catalogue: Catalogue
  private readonly tenant: number
  /** Elements by the FQN that they post a relation to. */
  private readonly posters = new Map<string, number[]>()

  constructor(catalogue: Catalogue, tenant: number, budget = new QueryBudget()) {
    this.catalogue = catalogue
    this.tenant = tenant
    for (let element = 0; element < catalogue.elementCount; element++) {
      budget.step()
      if (catalogue.elementTenant(element) !== tenant || catalogue.isDeleted(element)) continue
      for (const fqn of catalogue.elementInfo(element).relations) {
        const known = this.posters.get(fqn)
        if (known === undefined) this.posters.set(fqn, [element])
        else known.push(element)
      }
    }
  }

  /** Elements that this one posts relations to. */
  targets(element: number): number[] {
    const { catalogue, tenant } = this
    return catalogue
      .elementInfo(element)
      .relations.map((fqn) => catalogue.findElement(tenant, fqn))
      .filter((target) => target >= 0 && !catalogue.isDeleted(target))
  }

  /** Both directions. */
  neighbours(element: number): number[] {
    const posters = this.posters.get(this.catalogue.elementFqn(element)) ?? []
    return [...this.targets(element), ...posters]
  }
}

/**
 * The root and all within so many steps of it, nearest first, each once; null where they are more
 * than `max`.
 */
export function within(
  graph: Pick<RelationGraph, "neighbours">,
  { root, levels, max }: { readonly root: number; readonly levels: number; readonly max: number },
): number[] | null {
  const found = new Set([root])
  let level = [root]
  for (let step = 0; step < levels && level.length > 0; step++) {
    const next: number[] = []
    for (const neighbour of level.flatMap((one) => graph.neighbours(one))) {
      if (found.has(neighbour)) continue
      if (found.size === max) return null
      found.add(neighbour)
      next.push(neighbour)
    }
    level = next
  }
  return [...found]
}

/** Pairs of those that are shown: who is a member, of whom. */
function edgesBetween(graph: RelationGraph, elements: readonly number[]): [number, number][] {
  const shownElements = new Set(elements)
  return elements.flatMap((poster) =>
    graph
      .targets(poster)
      .filter((target) => shownElements.has(target))
      .map((target): [number, number] => [target, poster]),
  )
}
