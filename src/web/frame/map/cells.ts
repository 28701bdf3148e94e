/** Cells of a map of elements, from the columns of their status. */

import { levelsFromWorst, type Level } from "../../api/element-words.ts"
import type { StatusMap } from "../../api/overview/overview-answer.ts"

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

/** CSS pixels of a cell with its gap: 20,000 cells fit a window of 1,000 pixels. */
export function cellSize(total: number): number {
  if (total > 3_000) return 5
  if (total > 1_500) return 12
  if (total > 700) return 14
  return total > 300 ? 16 : 20
}

/** The worst first, then as `next` says; none if more pass than a map shows. */
export function cellsOf(
  { columns, levels }: StatusMap,
  next: (one: Cell, other: Cell) => number = () => 0,
): TypedCell[] {
  const cells = (columns?.fqn ?? []).map((fqn, i): TypedCell => {
    const level = levels[columns!.level[i]!] ?? "noData"
    const [name, type] = [columns!.name[i]!, columns!.type[i]!]
    return { fqn, name, level, type, openIncidents: columns!.openIncidents[i]! }
  })
  const rank = ({ level }: Cell): number => levelsFromWorst.indexOf(level)
  return cells.sort((one, other) => rank(one) - rank(other) || next(one, other))
}
