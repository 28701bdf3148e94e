/** The policies that watch the fleet, and what each must find of what happens to it. */

import { cycleMs } from "../../src/model/resolution.ts"
import { incidentOf, type CycleRange } from "./fleet.ts"
import { cpu, errors, heartbeat, latency, requests } from "./fleet-metrics.ts"

export interface FleetPolicy {
  readonly name: string
  readonly category: "WARNING" | "CRITICAL"
  readonly cycles: number
  readonly condition: Readonly<Record<string, unknown>>
  /** Which part of the incident it sees; null for what must never be found. */
  readonly sees: "slow" | "silent" | null
}

export const fleetPolicies: readonly FleetPolicy[] = [
  {
    name: "Slow answers",
    category: "CRITICAL",
    cycles: 2,
    condition: { metric: latency, analytic: "actual", operator: ">", level: 300 },
    sees: "slow",
  },
  {
    name: "CPU above its baseline",
    category: "CRITICAL",
    cycles: 3,
    condition: { metric: cpu, analytic: "baselineDeviation", operator: ">" },
    sees: "slow",
  },
  {
    name: "Many errors",
    category: "WARNING",
    cycles: 2,
    condition: { metric: errors, analytic: "actual", operator: ">", level: 200 },
    sees: "slow",
  },
  {
    name: "Appears to be down",
    category: "CRITICAL",
    cycles: 3,
    condition: { metric: heartbeat, analytic: "actual", operator: "==", level: 0 },
    sees: "silent",
  },
  {
    // The appearance of a restart if the server took a counter for a gauge.
    name: "Requests run backwards",
    category: "WARNING",
    cycles: 1,
    condition: { metric: requests, analytic: "actual", operator: "<", level: 0 },
    sees: null,
  },
]

/** The body that creates it; `notificationId` is notified when it begins and when it is over. */
export function policyBody(policy: FleetPolicy, notificationId: number): object {
  const { name, category, cycles, condition } = policy
  return {
    policy: {
      name,
      scope: { elementTags: [{ name: "fleet", value: "^demo$" }] },
      duration: (cycles * cycleMs) / 1000,
      conditions: [condition],
      actions: [
        { type: "event", category: category === "CRITICAL" ? 3 : 2 },
        { type: "notification", id: notificationId, sendOnClear: true },
      ],
    },
  }
}

/** The one incident that a policy must find. */
export interface Expected {
  readonly element: string
  readonly firstMs: number
  readonly lastMs: number
  readonly closedMs: number
  readonly events: number
}

/**
 * The first event is of the cycle that completes the duration, the last of the last bad cycle; the
 * next one closes the incident when it closes itself.
 */
export function expectedOf(
  { sees, cycles }: FleetPolicy,
  { firstDayMs, graceMs }: { readonly firstDayMs: number; readonly graceMs: number },
): Expected | null {
  if (sees === null) return null
  const incident = incidentOf(firstDayMs)
  const { from, to }: CycleRange = incident[sees]
  return {
    element: incident.element,
    firstMs: (from + cycles - 1) * cycleMs,
    lastMs: (to - 1) * cycleMs,
    closedMs: (to + 1) * cycleMs + graceMs,
    events: to - from - cycles + 1,
  }
}
