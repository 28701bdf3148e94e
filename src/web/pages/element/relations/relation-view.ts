/**
 * What is drawn of the relations around an element: the nearest elements, and the others joined by
 * type where they hang on a drawn one. The layout of an unbounded graph would stop the page.
 */

import type { RelatedElement, Relations } from "../../../api/element-relations.ts"

/** Elements that are drawn by themselves: more are unreadable. */
export const drawnElementsMax = 200
/** Joined nodes in addition, the largest ones: each takes as much room as an element. */
export const joinedNodesMax = 50
/**
 * Relations beyond those that a tree of the drawn elements has. Their crossings cost most of a
 * layout: 200 elements with 60 of them take 0.35 s, with 200 they take 2 s.
 */
export const crossRelationsMax = 60

export interface ElementNode {
  readonly kind: "element"
  readonly id: string
  readonly element: RelatedElement
  /** Relations between it and the element of the page. */
  readonly steps: number
}

export interface JoinedNode {
  readonly kind: "joined"
  readonly id: string
  readonly type: string
  readonly count: number
}

export type RelationNode = ElementNode | JoinedNode

export interface Membership {
  readonly member: string
  readonly container: string
}

export interface RelationView {
  /** The element of the page first, then the nearest, then joined nodes, the largest first. */
  readonly nodes: readonly RelationNode[]
  /** Between nodes, each once, none from a node to itself. */
  readonly memberships: readonly Membership[]
  /** Elements that are read, and how many of them are drawn by themselves. */
  readonly total: number
  readonly drawn: number
}

/** How an element was reached. */
interface Reached {
  readonly element: RelatedElement
  readonly steps: number
  /** Id of the element one step nearer; null for the element of the page. */
  readonly from: string | null
  /** Whether it is a member of that one. */
  readonly isMember: boolean
}

export function relationView(relations: Relations, rootId: string): RelationView {
  const memberships = distinct(relations.memberships)
  const reached = nearestFirst(relations, memberships, rootId)
  const drawn = drawnOf(reached, memberships)
  const joined = joinedOf(reached, drawn)
  const elements = [...reached.values()].filter(({ element }) => drawn.has(element.id))
  return {
    nodes: [
      ...elements.map(({ element, steps }): ElementNode => {
        return { kind: "element", id: element.id, element, steps }
      }),
      ...joined.map(({ node }) => node),
    ],
    memberships: [
      ...memberships.filter(({ member, container }) => drawn.has(member) && drawn.has(container)),
      ...joined.map(({ membership }) => membership),
    ],
    total: reached.size,
    drawn: drawn.size,
  }
}

function distinct(memberships: readonly Membership[]): readonly Membership[] {
  const byKey = new Map(
    memberships
      .filter(({ member, container }) => member !== container)
      .map((one) => [`${one.member} ${one.container}`, one]),
  )
  return [...byKey.values()]
}

interface Link {
  readonly id: string
  /** Whether the linked element is a member. */
  readonly isMember: boolean
}

function linksById(memberships: readonly Membership[]): ReadonlyMap<string, readonly Link[]> {
  const links = new Map<string, Link[]>()
  const add = (at: string, link: Link): void => {
    const known = links.get(at)
    if (known === undefined) links.set(at, [link])
    else known.push(link)
  }
  for (const { member, container } of memberships) {
    add(container, { id: member, isMember: true })
    add(member, { id: container, isMember: false })
  }
  return links
}

/** By id, those that are fewest steps away first. */
function nearestFirst(
  { elements }: Relations,
  memberships: readonly Membership[],
  rootId: string,
): ReadonlyMap<string, Reached> {
  const byId = new Map(elements.map((element) => [element.id, element]))
  const links = linksById(memberships)
  const reached = new Map<string, Reached>()
  const root = byId.get(rootId)
  if (root === undefined) return reached
  reached.set(rootId, { element: root, steps: 0, from: null, isMember: false })
  // A map gives what is added while it is walked.
  for (const [from, { steps }] of reached) {
    for (const { id, isMember } of links.get(from) ?? []) {
      const element = byId.get(id)
      if (element === undefined || reached.has(id)) continue
      reached.set(id, { element, steps: steps + 1, from, isMember })
    }
  }
  return reached
}

function drawnOf(
  reached: ReadonlyMap<string, Reached>,
  memberships: readonly Membership[],
): ReadonlySet<string> {
  const links = linksById(memberships)
  const drawn = new Set<string>()
  let cross = 0
  for (const [id] of reached) {
    const toDrawn = (links.get(id) ?? []).filter((link) => drawn.has(link.id)).length
    cross += Math.max(0, toDrawn - 1)
    if (drawn.size === drawnElementsMax || cross > crossRelationsMax) break
    drawn.add(id)
  }
  return drawn
}

interface Joined {
  readonly node: JoinedNode
  readonly membership: Membership
}

/** Elements that are not drawn, by the drawn one on their way, by type and by direction. */
function joinedOf(
  reached: ReadonlyMap<string, Reached>,
  drawn: ReadonlySet<string>,
): readonly Joined[] {
  const groups = new Map<string, { readonly of: Reached; readonly at: Reached; count: number }>()
  for (const [id, of] of reached) {
    if (drawn.has(id)) continue
    let at = of
    while (at.from !== null && !drawn.has(at.from)) at = reached.get(at.from)!
    const key = JSON.stringify([at.from, at.isMember, of.element.type])
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { of, at, count: 1 })
    else known.count++
  }
  return [...groups]
    .toSorted(([, one], [, other]) => other.count - one.count)
    .slice(0, joinedNodesMax)
    .map(([id, { of, at, count }]) => {
      const near = at.from!
      const membership = at.isMember
        ? { member: id, container: near }
        : { member: near, container: id }
      return { node: { kind: "joined", id, type: of.element.type, count }, membership }
    })
}
