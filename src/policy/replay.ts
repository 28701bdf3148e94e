/**
 * Replay of a policy over the past of one element: where it would have fired, by the matchers that
 * closings use.
 *
 *   holds      · · # # # · # # # # ·     the conditions match in the cycle
 *   violates   · · · # # · · # # # ·     for as many cycles as the duration requires: two here
 *   incidents        └─┘     └───┘       until the first closed cycle that does not violate
 */

import { assert } from "../base/assert.ts"
import { cycleMs } from "../model/resolution.ts"
import type { Policy } from "../model/records/policy.ts"
import { isNotificationDue, notificationsOf } from "./alert-notifications.ts"
import type { ElementCycle } from "./element-cycle.ts"
import type { MetricSelection, PolicyMatcher } from "./policy-matcher.ts"

/** Cycles `[from, to)` to replay, as numbers of all cycles. */
export interface ReplayWindow {
  readonly fromCycle: number
  readonly toCycle: number
  /** Unwatched cycles, and those that were never closed: they are passed over. */
  readonly unwatched: ReadonlySet<number>
  /**
   * Called for each cycle of an element, and may throw to end the replay: a hundred conditions on a
   * thousand metrics take a millisecond a cycle.
   */
  readonly step: () => void
}

export interface ReplayedIncident {
  /** The first and the last violating cycle within the window. */
  readonly fromCycle: number
  readonly lastCycle: number
  /** Violating cycles within the window. */
  readonly cycles: number
  /** Whether it had fired before the window. */
  readonly isContinued: boolean
  /** Whether no closing of the window ended it. */
  readonly isOpen: boolean
}

export interface ElementReplay {
  /** By cycle of the window: 1 if the policy fires. */
  readonly fires: Uint8Array
  readonly incidents: readonly ReplayedIncident[]
}

/**
 * Replays a policy for one element. `past`: its values, of which `back` 0 is the last cycle of the
 * window; it reaches back to the first cycle of the window and `matcher.cycles` cycles more.
 */
export function replayPolicy(
  matcher: PolicyMatcher,
  past: ElementCycle,
  window: ReplayWindow,
): ElementReplay {
  const { fromCycle, toCycle, unwatched, step } = window
  assert(fromCycle <= toCycle, "Expected a window that does not end before it begins")
  const selection = matcher.select(past)
  const fires = new Uint8Array(toCycle - fromCycle)
  const incidents: ReplayedIncident[] = []
  let held = 0
  let open: ReplayedIncident | null = null
  for (let cycle = fromCycle - matcher.cycles; cycle < toCycle; cycle++) {
    step()
    if (unwatched.has(cycle)) continue
    held = matcher.matches(past, toCycle - 1 - cycle, selection) ? held + 1 : 0
    const violates = held >= matcher.cycles
    if (!violates) {
      if (open !== null && open.cycles > 0) incidents.push({ ...open, isOpen: false })
      open = null
      continue
    }
    const isWithin = cycle >= fromCycle
    if (isWithin) fires[cycle - fromCycle] = 1
    open = continuedBy(open, { cycle, isWithin })
  }
  if (open !== null && open.cycles > 0) incidents.push(open)
  return { fires, incidents }
}

function continuedBy(
  open: ReplayedIncident | null,
  { cycle, isWithin }: { readonly cycle: number; readonly isWithin: boolean },
): ReplayedIncident {
  const isFirst = open === null || open.cycles === 0
  return {
    fromCycle: isFirst ? cycle : open.fromCycle,
    lastCycle: cycle,
    cycles: (open?.cycles ?? 0) + (isWithin ? 1 : 0),
    isContinued: open?.isContinued ?? !isWithin,
    isOpen: true,
  }
}

export interface NotificationCounts {
  first: number
  repeated: number
  cleared: number
}

/**
 * Adds the messages that the enabled notifications of an unmuted policy would have had about an
 * incident. The first message about one that had fired before the window is not counted, nor is an
 * end that a service gets without asking for it.
 */
export function countNotifications(
  policy: Policy,
  incident: ReplayedIncident,
  replay: { readonly fires: Uint8Array; readonly fromCycle: number },
  counts: NotificationCounts,
): void {
  const { fires, fromCycle } = replay
  for (const action of notificationsOf(policy)) {
    let lastMs = incident.isContinued ? incident.fromCycle * cycleMs : undefined
    for (let cycle = incident.fromCycle; cycle <= incident.lastCycle; cycle++) {
      const nowMs = cycle * cycleMs
      if (fires[cycle - fromCycle] === 0 || !isNotificationDue(lastMs, action, nowMs)) continue
      if (lastMs === undefined) counts.first++
      else counts.repeated++
      lastMs = nowMs
    }
    if (!incident.isOpen && action.sendOnClear) counts.cleared++
  }
}

interface ViolatingMetricsOptions extends Pick<ReplayWindow, "toCycle" | "step"> {
  readonly countMax: number
}

/** The metrics that violate in some cycle of an incident, each once, at most `countMax`. */
export function violatingMetrics(
  matcher: PolicyMatcher,
  past: ElementCycle,
  incident: ReplayedIncident,
  { toCycle, step, countMax }: ViolatingMetricsOptions,
): string[] {
  const selection: MetricSelection = matcher.select(past)
  const found = new Set<number>()
  for (let cycle = incident.fromCycle; cycle <= incident.lastCycle; cycle++) {
    step()
    const back = toCycle - 1 - cycle
    for (const [at, condition] of matcher.conditions.entries()) {
      for (const index of selection[at]!) {
        if (found.size >= countMax) break
        if (!found.has(index) && condition.matchesFor(index, past, back)) found.add(index)
      }
    }
  }
  return Array.from(found, (index) => past.metricFqns[index]!)
}
