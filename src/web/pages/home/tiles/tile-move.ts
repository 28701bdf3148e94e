/** Where a key moves to in a list of tiles in rows. */

export interface TilePosition {
  readonly at: number
  readonly columns: number
  readonly count: number
}

/** Null for a key that moves nowhere. */
export function tileMove(key: string, { at, columns, count }: TilePosition): number | null {
  if (key === "Home") return 0
  if (key === "End") return count - 1
  const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[key]
  if (by === undefined) return null
  const next = at + by
  // The last row may be short: the one above it leads to its end.
  if (next >= count) return key === "ArrowDown" && isAboveLastRow() ? count - 1 : at
  return next < 0 ? at : next

  function isAboveLastRow(): boolean {
    return Math.floor(at / columns) < Math.floor((count - 1) / columns)
  }
}
