/** Places of nodes and curves between them: containers to the left of their members. */

import { Graph, layout } from "@dagrejs/dagre"
import type { Membership, RelationNode, RelationView } from "./relation-view.ts"

/** Of a node, in CSS pixels; relation-graph.module.css gives nodes the same. */
export const nodeSize = { width: 184, height: 48 }
const gaps = { nodesep: 12, ranksep: 56, marginx: 8, marginy: 8 }

export interface PlacedNode {
  readonly node: RelationNode
  /** Of its left upper corner. */
  readonly x: number
  readonly y: number
}

export interface PlacedMembership extends Membership {
  /** A path of an SVG from the container to the member, and the tip of its arrow. */
  readonly path: string
  readonly arrow: string
}

export interface RelationLayout {
  readonly width: number
  readonly height: number
  readonly nodes: readonly PlacedNode[]
  readonly memberships: readonly PlacedMembership[]
}

interface Point {
  readonly x: number
  readonly y: number
}

export function relationLayout({ nodes, memberships }: RelationView): RelationLayout {
  const graph = new Graph()
  graph.setGraph({ rankdir: "LR", acyclicer: "greedy", ...gaps })
  for (const { id } of nodes) graph.setNode(id, { ...nodeSize })
  for (const { container, member } of memberships) graph.setEdge(container, member, {})
  layout(graph)
  const middles = new Map(nodes.map(({ id }) => [id, graph.node(id) as Point]))
  const lines = memberships.map((one) => {
    const { points } = graph.edge(one.container, one.member) as { readonly points: Point[] }
    return { one, points: joinedTo(points, middles.get(one.container)!, middles.get(one.member)!) }
  })
  // The layout's own size leaves out curves that pass above or below all nodes.
  const { width = 0, height = 0 } = graph.graph()
  const span = lines
    .flatMap(({ points }) => points)
    .reduce((so, { y }) => spanOf(so, y), { top: 0, bottom: height })
  const { top, bottom } = span
  return {
    width: Math.ceil(width),
    height: Math.ceil(bottom - top),
    nodes: nodes.map((node) => {
      const { x, y } = middles.get(node.id)!
      const [left, upper] = [x - nodeSize.width / 2, y - nodeSize.height / 2 - top]
      return { node, x: Math.round(left), y: Math.round(upper) }
    }),
    memberships: lines.map(({ one, points }) => {
      const moved = points.map(({ x, y }) => ({ x, y: y - top }))
      return { ...one, path: pathOf(moved), arrow: arrowOf(moved) }
    }),
  }
}

interface Span {
  readonly top: number
  readonly bottom: number
}

/** A span of heights that has one more, with a margin. */
function spanOf({ top, bottom }: Span, y: number): Span {
  return { top: Math.min(top, y - gaps.marginy), bottom: Math.max(bottom, y + gaps.marginy) }
}

/** Points of a line from side to side of its nodes, not from where a straight one meets them. */
function joinedTo(points: readonly Point[], container: Point, member: Point): Point[] {
  // Between neighbouring columns the layout has one point: without it the curve is wider.
  const within = points.length > 3 ? points.slice(1, -1) : []
  const side = (node: Point, to: Point): Point => {
    return { x: node.x + (to.x < node.x ? -1 : 1) * (nodeSize.width / 2), y: node.y }
  }
  return [side(container, within[0] ?? member), ...within, side(member, within.at(-1) ?? container)]
}

/** A curve that leaves and meets each point horizontally. */
function pathOf([first, ...others]: readonly Point[]): string {
  if (first === undefined) return ""
  let from = first
  const curves = others.map((to) => {
    const middle = rounded((from.x + to.x) / 2)
    const curve = `C${middle} ${rounded(from.y)} ${middle} ${rounded(to.y)} `
    from = to
    return `${curve}${rounded(to.x)} ${rounded(to.y)}`
  })
  return `M${rounded(first.x)} ${rounded(first.y)}${curves.join("")}`
}

/** A triangle whose tip touches the container. */
function arrowOf([tip, next]: readonly Point[]): string {
  if (tip === undefined || next === undefined) return ""
  const length = next.x < tip.x ? -7 : 7
  return `M${rounded(tip.x)} ${rounded(tip.y)}l${length} -4v8z`
}

function rounded(number: number): number {
  return Math.round(number * 10) / 10
}
