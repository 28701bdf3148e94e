/** Cells of a map of elements, from the columns of their status. */

import { levelsFromWorst, type Level } from "../../api/element-words.ts"
import type { StatusMap } from "../../api/overview.ts"

export interface Cell {
  readonly fqn: string
  readonly name: string
  readonly level: Level
  readonly openIncidents: number
}

export interface TypedCell extends Cell {
  /** Index in the types of the counts. */
  readonly type: number
}

/** The worst first; none if more pass than a map shows. */
export function cellsOf({ columns, levels }: StatusMap): TypedCell[] {
  const cells = (columns?.fqn ?? []).map((fqn, i): TypedCell => {
    const level = levels[columns!.level[i]!] ?? "noData"
    const [name, type] = [columns!.name[i]!, columns!.type[i]!]
    return { fqn, name, level, type, openIncidents: columns!.openIncidents[i]! }
  })
  const rank = ({ level }: Cell): number => levelsFromWorst.indexOf(level)
  return cells.sort((one, other) => rank(one) - rank(other))
}
