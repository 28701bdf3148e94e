/**
 * Silences (spec/search §3): a tenth of all elements, or all of a type, that stopped sending in the
 * same half hour and have sent nothing since. Elements that stopped before it do not count.
 */

import { noDataAfterMs } from "../../base/limits/search.ts"
import { isCycleWatched } from "../../model/closed-cycles.ts"
import { cycleMs, cyclesPerDay } from "../../model/resolution.ts"
import { levelNumber } from "../../wire/filter/status-levels.ts"
import type { Silence } from "../../wire/search/status-answer.ts"
import type { QueryContext } from "../core/query-context.ts"
import { readSchedulerState } from "../core/scheduler-state.ts"
import type { ElementStatusColumns } from "../filter/element-statuses.ts"
import type { ElementTypes } from "../filter/element-types.ts"

/** Fewer are single outages, which policies report. */
const elementsMin = 3
/** The part of all elements that is a silence. */
const shareMin = 0.1
/** An outage of a network or a collector reaches all of its elements within it. */
const windowCycles = 6
/** Elements that are silent for longer are the normal state. */
const ageCyclesMax = cyclesPerDay
/** Types of one answer, those with most elements. */
const typesMax = 10
/** A closing takes place a minute after the end of its cycle, and then the next one is due. */
const closedCyclesAgo = 2

/** Elements by the age of their newest data. */
class Ages {
  /** Elements that send. */
  active = 0
  /** By the age of the newest data in cycles. */
  private readonly silent = new Int32Array(ageCyclesMax + windowCycles)

  addSilent(ageCycles: number): void {
    if (ageCycles < this.silent.length) this.silent[ageCycles]!++
  }

  /** The newest half hour in which enough fell silent, by the age of its last one. */
  find(isEnough: (silent: number, total: number) => boolean): Found | null {
    let total = this.active
    for (let ageCycles = 0; ageCycles < ageCyclesMax; ageCycles++) {
      if (this.silent[ageCycles]! === 0) continue
      let silent = 0
      for (let i = 0; i < windowCycles; i++) silent += this.silent[ageCycles + i]!
      if (silent >= elementsMin && isEnough(silent, total + silent)) {
        return { ageCycles, silent, total: total + silent }
      }
      total += this.silent[ageCycles]!
    }
    return null
  }
}

interface Found {
  readonly ageCycles: number
  readonly silent: number
  /** Of the elements that sent in the window, those that still send included. */
  readonly total: number
}

/**
 * The silence of all elements, or else those of types, the largest first. None is known while the
 * server has not watched as long as it takes to notice one.
 */
export async function findSilences(
  context: QueryContext,
  types: ElementTypes,
  columns: ElementStatusColumns,
): Promise<readonly Silence[]> {
  if (!(await hasWatched(context))) return []
  const { all, byType } = agesOf(context, types, columns)
  const cycle = Math.floor(context.nowMs / cycleMs)
  const silenceOf = (type: string | null, { ageCycles, silent, total }: Found): Silence => {
    return { type, silent, total, since: (cycle - ageCycles + 1) * cycleMs }
  }
  const ofAll = all.find((silent, total) => silent > shareMin * total)
  if (ofAll !== null) return [silenceOf(null, ofAll)]
  const ofTypes = byType.flatMap((ages, i) => {
    const found = ages.find((silent, total) => silent === total)
    return found === null ? [] : [silenceOf(types.names[i]!, found)]
  })
  return ofTypes.sort((one, other) => other.silent - one.silent).slice(0, typesMax)
}

function agesOf(
  { nowMs, budget }: QueryContext,
  { names, numbers }: ElementTypes,
  { levels, lastSeenMs }: ElementStatusColumns,
): { readonly all: Ages; readonly byType: readonly Ages[] } {
  const all = new Ages()
  const byType = names.map(() => new Ages())
  const cycle = Math.floor(nowMs / cycleMs)
  const maintenance = levelNumber("maintenance")
  numbers.forEach((type, i) => {
    budget.step()
    const seenMs = lastSeenMs[i]!
    if (levels[i] === maintenance || Number.isNaN(seenMs)) return
    for (const ages of [all, byType[type]!]) {
      if (seenMs >= nowMs - noDataAfterMs) ages.active++
      else ages.addSilent(cycle - Math.floor(seenMs / cycleMs))
    }
  })
  return { all, byType }
}

/** Whether the cycles that decide were closed in time, and watched whole. */
async function hasWatched({ store, nowMs }: QueryContext): Promise<boolean> {
  const state = await readSchedulerState(store)
  const cycle = Math.floor(nowMs / cycleMs)
  if (state === undefined || state.next < cycle - closedCyclesAgo) return false
  const first = Math.floor((nowMs - noDataAfterMs) / cycleMs)
  for (let one = first; one < Math.min(state.next, cycle); one++) {
    if (!isCycleWatched(state, one)) return false
  }
  return true
}
