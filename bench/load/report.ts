/** Figures of a load as rows of a table: ours, its target, and what the others did in the same run. */

import { shortNumber } from "../table.ts"
import {
  type Figure,
  figureKinds,
  type FigureKind,
  type FigureName,
  compareToTarget,
} from "./figures.ts"

export const loadHead = ["figure", "Tidegauge", "unit", "target", "", "beside it, same run", "note"]

interface ReportOptions {
  readonly subject: string
  /** A small run is over before anything is warm: its figures reach no target. */
  readonly withTargets: boolean
}

/** One row for each figure of the subject, in the order of `figureKinds`. */
export function loadRows(
  figures: readonly Figure[],
  { subject, withTargets }: ReportOptions,
): string[][] {
  return (Object.keys(figureKinds) as FigureName[]).flatMap((name) => {
    const ofName = figures.filter((figure) => figure.name === name)
    const ours = ofName.find((figure) => figure.subject === subject)
    return ours === undefined ? [] : [rowOf(kindOf(name, withTargets), ours, ofName)]
  })
}

function kindOf(name: FigureName, withTargets: boolean): FigureKind {
  const { title, unit, better } = figureKinds[name]
  return withTargets ? figureKinds[name] : { title, unit, better }
}

function rowOf(kind: FigureKind, ours: Figure, ofName: readonly Figure[]): string[] {
  const others = ofName.filter((figure) => figure !== ours)
  const victoria = others.find((figure) => figure.subject.startsWith("VictoriaMetrics"))
  const verdict = compareToTarget(kind, ours.value, victoria?.value)
  const sign = kind.better === "more" ? "≥" : "≤"
  const beside = others.map(({ subject, value }) => {
    const ratio = ours.value / value
    return `${subject} ${shortNumber(value)} (${shortNumber(ratio)} ×)`
  })
  return [
    kind.title,
    shortNumber(ours.value),
    kind.unit,
    verdict === null ? "" : `${sign} ${shortNumber(verdict.target)}`,
    verdict === null ? "" : verdict.reached ? "pass" : "short",
    beside.join(", "),
    ours.note ?? "",
  ]
}
