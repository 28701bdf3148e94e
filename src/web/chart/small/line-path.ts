/** Values as the path of an SVG: 48 small charts together need no plot each. */

import { extremesOf, type Values } from "../model.ts"

export interface PathBox {
  readonly width: number
  readonly height: number
  /** Of the values: at the bottom and at the top. */
  readonly least: number
  readonly greatest: number
}

/** The box of values without axes: around a flat line it has room, so that the line is in the middle. */
export function boxOf(
  rows: readonly Values[],
  { width, height }: Pick<PathBox, "width" | "height">,
): PathBox {
  const { least, greatest } = extremesOf(rows)
  if (least > greatest) return { width, height, least: 0, greatest: 1 }
  if (least < greatest) return { width, height, least, greatest }
  return { width, height, least: least - 1, greatest: greatest + 1 }
}

/** One part for each run of values: a gap stays a gap, and a single value is a short dash. */
export function linePath(values: Values, box: PathBox): string {
  const parts: string[] = []
  let run = 0
  values.forEach((value, i) => {
    if (value === null) {
      run = 0
      return
    }
    const [x, y] = pointOf(i, value, values.length, box)
    const isAlone = run === 0 && (values[i + 1] ?? null) === null
    parts.push(`${run === 0 ? "M" : "L"}${isAlone ? Math.min(x, box.width - 1) : x} ${y}`)
    if (isAlone) parts.push("h1")
    run++
  })
  return parts.join("")
}

/** The area between two rows, a closed shape for each run in which both have values. */
export function areaPath(low: Values, high: Values, box: PathBox): string {
  const shapes: string[] = []
  let run: number[] = []
  const close = (): void => {
    if (run.length > 1) {
      const point = (row: Values) => (i: number) => pointOf(i, row[i]!, low.length, box).join(" ")
      const edge = [...run.map(point(high)), ...run.toReversed().map(point(low))]
      shapes.push(`M${edge.join("L")}Z`)
    }
    run = []
  }
  low.forEach((value, i) => {
    if (value === null || (high[i] ?? null) === null) close()
    else run.push(i)
  })
  close()
  return shapes.join("")
}

function pointOf(i: number, value: number, count: number, box: PathBox): [number, number] {
  const { width, height, least, greatest } = box
  const x = count === 1 ? 0 : (i / (count - 1)) * width
  const share = (value - least) / (greatest - least)
  // Half a stroke of room at both edges.
  return [rounded(x), rounded(1 + (1 - share) * (height - 2))]
}

function rounded(number: number): number {
  return Math.round(number * 10) / 10
}
