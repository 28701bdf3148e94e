/**
 * Ratios to the other subjects of the same run, compared with committed ones: absolute figures
 * are of a machine and a minute, ratios carry over, those of two of our own figures too.
 * `npm run bench -- --check` prints those that got worse.
 */

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Figure, type FigureKind, figureKinds } from "./figures.ts"

const path = join(import.meta.dirname, "ratios.json")
/** On a shared machine two runs of the same code differ by this much. */
const tolerance = 0.2

type Ratios = Record<string, number>

export const ratiosHead = ["ratio", "now", "committed", ""]

/** Keeps the ratios of this run as the ones to be compared with; others stay. */
export function keepRatios(figures: readonly Figure[], subject: string): void {
  const all = { ...committed(), ...ratiosOf(figures, subject) }
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`)
}

/** One row a ratio; `worse` if it is lower by more than two runs of the same code differ. */
export function ratioRows(figures: readonly Figure[], subject: string): string[][] {
  const known = committed()
  return Object.entries(ratiosOf(figures, subject)).map(([name, now]) => {
    const before = known[name]
    if (before === undefined) return [name, now.toPrecision(3), "–", "new"]
    const verdict = now < before * (1 - tolerance) ? "worse" : "kept"
    return [name, now.toPrecision(3), before.toPrecision(3), verdict]
  })
}

/** More is better in each: if less of a figure is better, its ratio is inverted. */
function ratiosOf(figures: readonly Figure[], subject: string): Ratios {
  const ratios: Ratios = {}
  const keep = (name: string, ratio: number): void => {
    if (Number.isFinite(ratio)) ratios[name] = ratio
  }
  for (const { name, value } of figures.filter((one) => one.subject === subject)) {
    const kind: FigureKind = figureKinds[name]
    const isMore = kind.better === "more"
    if (kind.isRatio) keep(name, isMore ? value : 1 / value)
    for (const other of figures.filter((one) => one.name === name && one.subject !== subject)) {
      keep(`${name} / ${other.subject}`, isMore ? value / other.value : other.value / value)
    }
  }
  return ratios
}

function committed(): Ratios {
  return JSON.parse(readFileSync(path, "utf8")) as Ratios
}
