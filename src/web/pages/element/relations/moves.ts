/** Moves between placed nodes by arrow keys; from each node every other one can be reached. */

interface Position {
  readonly x: number
  readonly y: number
}

const directions = {
  ArrowUp: { across: 0, along: -1 },
  ArrowDown: { across: 0, along: 1 },
  ArrowLeft: { across: -1, along: 0 },
  ArrowRight: { across: 1, along: 0 },
} as const

/**
 * The index of the node that an arrow leads to: up and down the next one of its column, left and
 * right the nearest one of the next column. The same index if there is none; null for other keys.
 */
export function moveBy(key: string, positions: readonly Position[], at: number): number | null {
  const from = positions[at]
  if (!isArrow(key) || from === undefined) return null
  const { across, along } = directions[key]
  const column = across === 0 ? from.x : nextColumn(positions, from.x, across)
  if (column === null) return at
  const isAhead = ({ y }: Position) => along === 0 || (y - from.y) * along > 0
  const ahead = positions.flatMap((one, i) => {
    return one.x === column && isAhead(one) ? [{ i, far: Math.abs(one.y - from.y) }] : []
  })
  return ahead.toSorted((one, other) => one.far - other.far)[0]?.i ?? at
}

function nextColumn(positions: readonly Position[], x: number, across: number): number | null {
  const columns = positions.map((one) => one.x).filter((one) => (one - x) * across > 0)
  return columns.toSorted((one, other) => (one - other) * across)[0] ?? null
}

function isArrow(key: string): key is keyof typeof directions {
  return Object.hasOwn(directions, key)
}
