/** The summary of a replay, element by element. */

import { replayElementsListedMax, replayIncidentsListedMax } from "../../base/limits/queries.ts"
import type { ElementIndex } from "../../model/ids.ts"
import { cycleMs, dayMs } from "../../model/resolution.ts"
import { incidentMetricsMax } from "../../policy/incident-life.ts"
import type { PolicyMatcher } from "../../policy/policy-matcher.ts"
import {
  countNotifications,
  violatingMetrics,
  type ElementReplay,
  type ReplayWindow,
} from "../../policy/replay.ts"
import type { PolicyReplayAnswer } from "../../wire/records/policy-replay.ts"
import type { QueryContext } from "../core/query-context.ts"
import { countBands } from "./band-count.ts"
import type { ElementPast } from "./element-past.ts"

/** An element with incidents; its names are looked up if it is listed. */
interface ElementFigures {
  readonly element: ElementIndex
  readonly incidents: number
  readonly cycles: number
  readonly first: number
  readonly last: number
}
type IncidentEntry = PolicyReplayAnswer["incidentList"][number]

const minutesPerCycle = cycleMs / 60_000
/** Elements that are kept until all but the listed ones are dropped. */
const elementsKeptMax = 1_000

export class ReplaySummary {
  private readonly context: Pick<QueryContext, "store" | "ids">
  private readonly matcher: PolicyMatcher
  private readonly window: ReplayWindow
  private readonly notifications = { first: 0, repeated: 0, cleared: 0 }
  private readonly bands = { compared: 0, missing: 0 }
  private readonly incidentsByDay = new Map<number, number>()
  private elements: ElementFigures[] = []
  private readonly incidentList: IncidentEntry[] = []
  private evaluated = 0
  private incidents = 0
  private firingAtEnd = 0
  private violatingCycles = 0

  constructor(
    context: Pick<QueryContext, "store" | "ids">,
    matcher: PolicyMatcher,
    window: ReplayWindow,
  ) {
    this.context = context
    this.matcher = matcher
    this.window = window
    // Days without an incident are listed, too.
    const lastDay = Math.floor((window.toCycle * cycleMs - 1) / dayMs)
    for (let day = dayOf(window.fromCycle); day <= lastDay; day++) this.incidentsByDay.set(day, 0)
  }

  /** Adds an element; `past` is read during the call only. */
  add(past: ElementPast, replay: ElementReplay): void {
    const { matcher, window, bands } = this
    this.evaluated++
    countBands(matcher, past, window, bands)
    if (replay.incidents.length === 0) return
    const { fromCycle } = window
    this.addElement(past, replay)
    for (const incident of replay.incidents) {
      this.incidents++
      if (incident.isOpen) this.firingAtEnd++
      this.violatingCycles += incident.cycles
      const day = dayOf(incident.fromCycle)
      this.incidentsByDay.set(day, (this.incidentsByDay.get(day) ?? 0) + 1)
      countNotifications(
        matcher.policy,
        incident,
        { fires: replay.fires, fromCycle },
        this.notifications,
      )
    }
  }

  /** The answer, without the values of the cycles. */
  answer(counts: Pick<PolicyReplayAnswer, "matchedElements" | "isSampled">): PolicyReplayAnswer {
    const { fromCycle, toCycle, unwatched } = this.window
    const { compared, missing } = this.bands
    const { policy } = this.matcher
    let cycles = 0
    for (let cycle = fromCycle; cycle < toCycle; cycle++) if (!unwatched.has(cycle)) cycles++
    return {
      ...counts,
      evaluatedElements: this.evaluated,
      cycles,
      incidents: this.incidents,
      violatingMinutes: this.violatingCycles * minutesPerCycle,
      firingAtEnd: this.firingAtEnd,
      withoutBand: compared === 0 ? 0 : missing / compared,
      leftOut: [
        ...(policy.eventConditions.length > 0 ? ["eventConditions"] : []),
        ...(policy.checkCondition === null ? [] : ["checkCondition"]),
      ],
      notifications: this.notifications,
      perDay: Array.from(this.incidentsByDay, ([day, incidents]) => ({
        date: new Date(day * dayMs).toISOString().slice(0, 10),
        incidents,
      })),
      elements: worst(this.elements).map((figures) => this.elementEntry(figures)),
      incidentList: this.incidentList,
    }
  }

  private elementEntry({ element, incidents, cycles, first, last }: ElementFigures) {
    const { ids, store } = this.context
    return {
      elementId: ids.elementId(element),
      elementFqn: store.catalogue.elementFqn(element),
      name: store.catalogue.elementInfo(element).name,
      incidents,
      minutes: cycles * minutesPerCycle,
      first: first * cycleMs,
      last: (last + 1) * cycleMs,
    }
  }

  private addElement(past: ElementPast, { incidents }: ElementReplay): void {
    this.elements.push({
      element: past.element,
      incidents: incidents.length,
      cycles: incidents.reduce((sum, { cycles }) => sum + cycles, 0),
      first: incidents[0]!.fromCycle,
      last: incidents.at(-1)!.lastCycle,
    })
    if (this.elements.length > elementsKeptMax) this.elements = worst(this.elements)
    const elementId = this.context.ids.elementId(past.element)
    const options = { ...this.window, countMax: incidentMetricsMax }
    const room = replayIncidentsListedMax - this.incidentList.length
    for (const incident of incidents.slice(0, room)) {
      const { fromCycle, lastCycle, isOpen } = incident
      this.incidentList.push({
        elementId,
        start: fromCycle * cycleMs,
        end: (lastCycle + 1) * cycleMs,
        cycles: incident.cycles,
        isOpen,
        metrics: violatingMetrics(this.matcher, past, incident, options),
      })
    }
  }
}

/** The elements with the most incidents so far. */
function worst(elements: readonly ElementFigures[]): ElementFigures[] {
  return elements
    .toSorted((left, right) => right.incidents - left.incidents || right.cycles - left.cycles)
    .slice(0, replayElementsListedMax)
}

function dayOf(cycle: number): number {
  return Math.floor((cycle * cycleMs) / dayMs)
}
