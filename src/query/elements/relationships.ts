/**
 * GET `/elements/{id}/relationships`: the elements around one, as a graph. Relations are posted by
 * one side and followed from both.
 *
 *   A posts `relations: [B]`   ──►   edge  B ─ member of ─► A
 */

import { QueryBudget } from "../../base/query-budget.ts"
import { invalid } from "../../base/errors.ts"
import { relatedElementsMax, relationshipLevelsMax } from "../../base/limits/queries.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { ElementIndex, TenantIndex } from "../../model/ids.ts"
import type { Span } from "../../model/span.ts"
import { printRelationships } from "../../wire/elements/relationships-result.ts"
import { shown, type Problems } from "../../wire/problems.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryContext } from "../core/query-context.ts"
import { hasWindow, readWindow, readWindowParameters } from "../core/window.ts"
import { matchedElements, planElementSearch } from "../filter/activity-filter.ts"
import { exactTexts } from "../filter/parameter-filter.ts"
import { resolveElement } from "../core/resolve-path.ts"

export const relationships = defineQuery({
  kind: "relationships",
  parse(input, problems) {
    const params = new QueryParameters(input.params, problems)
    const levels = readLevels(params.one("levels"), problems)
    return { levels, span: readSpan(params, input.nowMs, problems) }
  },
  async plan(context, { levels, span }, input) {
    const element = resolveElement(context, input)
    const related = relatedTo(context, { element, levels })
    const ids = related.map((one) => context.ids.elementId(one))
    const filter = { elementIds: exactTexts(ids) }
    const plan = await planElementSearch(context, input.tenant, { filter, span })
    return { ...plan, query: { ...plan.query, element, levels } }
  },
  async answer(context, planned) {
    const { element, levels } = planned.plan.query
    const { ids, store, budget } = context
    const { catalogue } = store
    const active = await matchedElements(context, planned)
    const elements = relatedTo(context, { element, levels }).filter(
      (one) => one === element || active.has(one),
    )
    const graph = new RelationGraph(catalogue, planned.tenant, budget)
    return printRelationships({
      nodes: elements.map((one) => ({
        id: ids.elementId(one),
        fqn: catalogue.elementFqn(one),
        name: catalogue.elementInfo(one).name,
        type: catalogue.elementInfo(one).type,
      })),
      edges: edgesBetween(graph, elements).map(([source, target]) => ({
        source: ids.elementId(source),
        target: ids.elementId(target),
      })),
    })
  },
})

function readLevels(text: string | undefined, problems: Problems): number {
  if (text === undefined) return 1
  const levels = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (levels >= 1 && levels <= relationshipLevelsMax) return levels
  problems.add(
    `levels: expected a whole number from 1 to ${relationshipLevelsMax}, got ${shown(text)}`,
  )
  return 1
}

/** null if no time is given: then elements need no data. */
function readSpan(params: QueryParameters, nowMs: number, problems: Problems): Span | null {
  const asked = readWindowParameters(params)
  return hasWindow(asked) ? readWindow(asked, nowMs, problems) : null
}

function relatedTo(
  { store, budget }: QueryContext,
  { element, levels }: { readonly element: ElementIndex; readonly levels: number },
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
  private readonly tenant: TenantIndex
  /** Elements by the FQN that they post a relation to. */
  private readonly posters = new Map<string, number[]>()

  constructor(catalogue: Catalogue, tenant: TenantIndex, budget = new QueryBudget()) {
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
  targets(element: ElementIndex): number[] {
    const { catalogue, tenant } = this
    return catalogue
      .elementInfo(element)
      .relations.map((fqn) => catalogue.findElement(tenant, fqn))
      .filter((target) => target >= 0 && !catalogue.isDeleted(target))
  }

  /** Both directions. */
  neighbours(element: ElementIndex): number[] {
    const posters = this.posters.get(this.catalogue.elementFqn(element)) ?? []
    return [...this.targets(element), ...posters]
  }
}

/**
 * The root and all elements within `levels` steps of it, nearest first, each once; null if there
 * are more than `max`.
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
