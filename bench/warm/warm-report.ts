/** Figures of warm loads as a table: ours next to those of another server, ratios, goals. */

import { markdownTable, shortNumber } from "../table.ts"
import { type LoadRates, median, type WarmFigures } from "./warm-load.ts"

export interface WarmResult {
  readonly title: string
  readonly peer: string
  /** Settled and warm: our figure is to be this many times the peer's. */
  readonly goal: number
  readonly ours: WarmFigures
  /** Absent if the peer is not installed. */
  readonly theirs?: WarmFigures
}

const head = ["what", "Tidegauge", "beside it", "ratio", "goal", ""]
const p50GoalMs = 2.5
const p99GoalMs = 10
/** Beyond, the client may be what is measured. */
const clientShareMax = 0.9

export function warmReport(results: readonly WarmResult[]): string {
  const rows = results.flatMap((result) => [
    ...rateRows(result),
    memoryRow(result),
    ...latencyRows(result),
  ])
  const notes = results.flatMap(notesOf)
  const list = notes.map((note) => `- ${note}`).join("\n")
  return notes.length === 0 ? markdownTable(head, rows) : `${markdownTable(head, rows)}\n\n${list}`
}

function rateRows({ title, peer, goal, ours, theirs }: WarmResult): string[][] {
  const row = (what: string, of: (figures: WarmFigures) => number, wanted?: number) => {
    const value = of(ours)
    const other = theirs === undefined ? Number.NaN : of(theirs)
    const ratio = value / other
    const cells = [shortNumber(value), shortNumber(other), shortNumber(ratio)]
    const isJudged = wanted !== undefined && Number.isFinite(ratio)
    const verdict = isJudged ? (ratio >= wanted ? "pass" : "short") : ""
    return [`${title}, ${what}, beside ${peer}`, ...cells, wanted ? String(wanted) : "–", verdict]
  }
  const medianOf = (rate: keyof LoadRates) => (figures: WarmFigures) =>
    median(figures.loads.map((load) => load[rate]))
  return [
    row("warm, settled", medianOf("settled"), goal),
    row("warm, acknowledged", medianOf("acknowledged")),
    row("all loads and what follows", ({ wholeSettled }) => wholeSettled),
    row("cold, settled", ({ cold }) => cold.settled),
    row("cold, acknowledged", ({ cold }) => cold.acknowledged),
  ]
}

function memoryRow({ title, ours, theirs }: WarmResult): string[] {
  const other = theirs === undefined ? "–" : shortNumber(theirs.rssMib)
  return [`${title}, memory at the end, MiB`, shortNumber(ours.rssMib), other, "–", "–", ""]
}

function latencyRows({ title, ours: { paced, rate } }: WarmResult): string[][] {
  if (paced === undefined) return []
  const row = (part: string, value: number, goal: number) => {
    const what = `${title}, 202 at half of capacity (${Math.round(rate)} a second), ${part}, ms`
    return [what, value.toFixed(2), "–", "–", `≤ ${goal}`, value <= goal ? "pass" : "short"]
  }
  const { p50Ms, p99Ms } = paced.undisturbed
  return [row("p50", p50Ms, p50GoalMs), row("p99", p99Ms, p99GoalMs)]
}

/** The loads one by one, and whatever a reader needs to trust them. */
function notesOf({ title, peer, ours, theirs }: WarmResult): string[] {
  const of = (name: string, figures: WarmFigures): string => {
    const loads = figures.loads.map(({ settled }) => shortNumber(settled)).join(", ")
    const share = `client at ${Math.round(100 * figures.clientShare)} % of its processor`
    const isFull = figures.clientShare > clientShareMax
    const parts = [`${title}, ${name}: settled ${loads}`, isFull ? `${share}: too near` : share]
    return [...parts, ...figures.notes, ...pacedNote(figures)].join("; ")
  }
  return [of("Tidegauge", ours), ...(theirs === undefined ? [] : [of(peer, theirs)])]
}

function pacedNote({ paced }: WarmFigures): string[] {
  if (paced === undefined) return []
  const { requests, undisturbed, stolenShare, p50Ms, p99Ms } = paced
  return [
    `${undisturbed.requests} of ${requests} paced requests while the host took nothing; with all ` +
      `of them ${p50Ms.toFixed(2)} and ${p99Ms.toFixed(2)} ms, ` +
      `${(100 * stolenShare).toFixed(1)} % taken`,
  ]
}
