/** Elements of a small fleet by type, for tiles. */

import type { StatusMap } from "../../../api/overview/overview-answer.ts"
import { cellsOf, type TypedCell } from "../../../frame/map/cells.ts"

/** More elements are cells of a map: 300 tiles fill two windows. */
export const tilesMax = 300

/** Tiles whose values are asked for together: scrolling within them asks nothing. */
const askedTogether = 50

/** Elements of a type that are asked for their metrics: the server reads all of these. */
const sampledMax = 20

export interface TypeSample {
  readonly type: string
  /** FQNs. */
  readonly fqns: readonly string[]
}

export interface TileGroup {
  readonly type: string
  /** The worst first, and by name. */
  readonly cells: readonly TypedCell[]
}

const byName = new Intl.Collator("en", { numeric: true })

export function tileGroups(status: StatusMap): TileGroup[] {
  const groups = status.counts.types.map(({ type }) => ({ type, cells: [] as TypedCell[] }))
  const cells = cellsOf(status, (one, other) => byName.compare(one.name, other.name))
  for (const cell of cells) groups[cell.type]?.cells.push(cell)
  return groups
}

/** By name, so that another level of an element asks nothing. */
export function samplesOf(groups: readonly TileGroup[]): TypeSample[] {
  return groups.map(({ type, cells }) => {
    const fqns = cells.map(({ fqn }) => fqn).sort()
    return { type, fqns: fqns.slice(0, sampledMax) }
  })
}

/** FQNs of the tiles to ask for: whole parts of the list, any tile of which is in sight. */
export function fqnsToAsk(groups: readonly TileGroup[], inSight: ReadonlySet<string>): string[] {
  const all = groups.flatMap(({ cells }) => cells.map(({ fqn }) => fqn))
  const parts = Array.from({ length: Math.ceil(all.length / askedTogether) }, (_, i) => {
    return all.slice(i * askedTogether, (i + 1) * askedTogether)
  })
  return parts.filter((part) => part.some((fqn) => inSight.has(fqn))).flat()
}
