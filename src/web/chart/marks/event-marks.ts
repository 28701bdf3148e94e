/** Events as marks below a chart: ticks, and spans in which a policy fires cycle after cycle. */

import { worstLevel, type AlarmLevel } from "../../api/severity.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { shownSpan } from "../plot/plot-area.ts"
import { text } from "./text.ts"

export interface ChartEvent {
  readonly timestamp: number
  readonly level: AlarmLevel
  readonly title: string
  /** Null for an event that no policy made. */
  readonly policyId: string | null
}

export interface EventMark extends TimeRange {
  /** Of events that have a time; those of a policy have a cycle. */
  readonly isTick: boolean
  readonly level: AlarmLevel
  /** Events that are joined. */
  readonly count: number
  /** Titles, the first ones if several are joined. */
  readonly titles: readonly string[]
  /** How many more there are. */
  readonly more: number
}

const cycleMs = 300_000
/** Of the range: marks that are closer are one. */
const closeShare = 1 / 150
/** Titles of a joined mark: more are no help in a tooltip. */
const titlesMax = 3

/** Marks within a range, in the order of time: spans of policies first, then ticks. */
export function eventMarks(events: readonly ChartEvent[], range: TimeRange): readonly EventMark[] {
  const within = events
    .filter(({ timestamp: ms }) => ms >= range.startMs - cycleMs && ms <= range.endMs)
    .toSorted((one, other) => one.timestamp - other.timestamp)
  const closeMs = (range.endMs - range.startMs) * closeShare
  const ofPolicy = (id: string | null) => within.filter(({ policyId }) => policyId === id)
  const policies = new Set(within.map(({ policyId }) => policyId).filter((id) => id !== null))
  const spans = [...policies].flatMap((id) => joined(ofPolicy(id), cycleMs, cycleMs + closeMs))
  return [...spans, ...joined(ofPolicy(null), 0, closeMs)]
}

/** Counts the events of the marks in a range: `5 events in 2 marks`; an empty text for none. */
export function marksSentence(marks: readonly EventMark[], range: TimeRange): string {
  const shown = marks.filter((mark) => shownSpan({ view: range, width: 1 }, mark) !== null)
  const events = shown.reduce((sum, { count }) => sum + count, 0)
  return shown.length === 0 ? "" : text.marked(events, shown.length)
}

/** Events of a length each, one mark for those that begin within `reachMs` of the one before. */
function joined(events: readonly ChartEvent[], lengthMs: number, reachMs: number): EventMark[] {
  const groups: ChartEvent[][] = []
  for (const event of events) {
    const last = groups.at(-1)
    if (last !== undefined && event.timestamp - last.at(-1)!.timestamp <= reachMs) last.push(event)
    else groups.push([event])
  }
  return groups.map((group) => {
    const titles = [...new Set(group.map(({ title }) => title))]
    return {
      isTick: lengthMs === 0,
      startMs: group[0]!.timestamp,
      endMs: group.at(-1)!.timestamp + lengthMs,
      level: worstLevel(group.map(({ level }) => level)),
      count: group.length,
      titles: titles.slice(0, titlesMax),
      more: Math.max(0, titles.length - titlesMax),
    }
  })
}
