/** Compares what the server found with what happened to the fleet. Pure. */

import { cycleMs } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import type { FoundEvent, FoundIncident, FoundRecord } from "./fleet-results.ts"
import type { WebhookRequest } from "./webhook-receiver.ts"
import { expectedOf, fleetPolicies, type Expected, type FleetPolicy } from "./fleet-policies.ts"
import { restartOf, type FleetLedger } from "./fleet.ts"

export interface FleetObservations {
  /** Whole cycles; what came later is not judged. */
  readonly span: Span
  readonly firstDayMs: number
  readonly graceMs: number
  readonly events: readonly FoundEvent[]
  readonly incidents: readonly FoundIncident[]
  readonly policyIds: ReadonlyMap<string, string>
  readonly deliveries: readonly WebhookRequest[]
  readonly ledger: FleetLedger
  /** Of the restarted element's requests. */
  readonly counter: readonly FoundRecord[]
  /** Of the first element's `jobs.failed`. */
  readonly rare: readonly FoundRecord[]
  /** The computed metric of each closing, of the first element. */
  readonly closings: readonly FoundRecord[]
}

/** A condition that must hold, and the values found. */
export interface CheckResult {
  readonly holds: boolean
  readonly sentence: string
}

/** The results of one policy. */
export interface PolicyResults {
  readonly policy: FleetPolicy
  readonly expected: Expected | null
  readonly events: readonly FoundEvent[]
  readonly incidents: readonly FoundIncident[]
  readonly begun: readonly WebhookRequest[]
  readonly cleared: readonly WebhookRequest[]
}

export function policyResultsOf(found: FleetObservations): PolicyResults[] {
  return fleetPolicies.map((policy) => {
    const id = found.policyIds.get(policy.name)
    const told = found.deliveries.filter(({ policyName }) => policyName === policy.name)
    return {
      policy,
      expected: expectedOf(policy, found),
      events: found.events.filter((event) => event.policy?.name === policy.name),
      incidents: found.incidents.filter(({ policyId }) => policyId === id),
      begun: told.filter(({ payloadType }) => payloadType === "event"),
      cleared: told.filter(({ payloadType }) => payloadType === "event_cleared"),
    }
  })
}

export function verifyFleet(found: FleetObservations): CheckResult[] {
  return [
    ...policyResultsOf(found).map(checkPolicy),
    checkStrangers(found),
    checkCounter(found),
    checkRareMetric(found),
    checkClosings(found),
  ]
}

function checkPolicy(findings: PolicyResults): CheckResult {
  const { policy, expected, events, incidents, begun, cleared } = findings
  const counts =
    `${events.length} events, ${incidents.length} incidents, ` +
    `${begun.length} + ${cleared.length} deliveries`
  if (expected === null) {
    const holds = events.length + incidents.length + begun.length + cleared.length === 0
    return { holds, sentence: `${policy.name}: nothing was to be found; ${counts}` }
  }
  const [incident] = incidents
  const holds =
    incidents.length === 1 &&
    isExpected(incident!, expected) &&
    events.length === expected.events &&
    [...events, ...begun, ...cleared].every(
      ({ elementName }) => elementName === expected.element,
    ) &&
    events.every(({ category }) => category.name === policy.category) &&
    begun.length === 1 &&
    cleared.length === 1
  const wanted = `${expected.events} events, 1 incident and 1 + 1 deliveries`
  const sentence = `${policy.name}: ${wanted} of ${expected.element} in its time; ${counts}`
  return { holds, sentence }
}

function isExpected(incident: FoundIncident, expected: Expected): boolean {
  const { elementName, tsFirstFired, tsLastFired, tsClosed } = incident
  return (
    elementName === expected.element &&
    Date.parse(tsFirstFired) === expected.firstMs &&
    Date.parse(tsLastFired) === expected.lastMs &&
    tsClosed !== null &&
    Date.parse(tsClosed) === expected.closedMs
  )
}

/** No events and deliveries except those of these policies. */
function checkStrangers({ events, deliveries }: FleetObservations): CheckResult {
  const names = new Set(fleetPolicies.map(({ name }) => name))
  const strange = events.filter(({ policy }) => !names.has(policy?.name ?? ""))
  const repeats = deliveries.length - new Set(deliveries.map((one) => one.deliveryId)).size
  return {
    holds: strange.length + repeats === 0,
    sentence: `Elsewhere: ${strange.length} events of nobody, ${repeats} deliveries repeated`,
  }
}

function checkCounter({ counter, ledger, firstDayMs }: FleetObservations): CheckResult {
  const { increases } = ledger
  const actuals = new Map(
    counter.map(({ timeMs, data }) => [timeMs / cycleMs, data["actual"]] as const),
  )
  const right = [...increases].filter(([cycle, increase]) => actuals.get(cycle) === increase)
  const atRestart = actuals.get(restartOf(firstDayMs))
  return {
    holds: right.length === increases.size && increases.size > 0,
    sentence:
      `Counter: ${right.length} of ${increases.size} increases are right; ` +
      `${atRestart ?? "none"} in the cycle of the restart`,
  }
}

function checkRareMetric({ rare, ledger, span }: FleetObservations): CheckResult {
  const cycles = (span.endMs - span.startMs) / cycleMs
  const filled = rare.filter(({ data }) => data["sparseValue"] !== undefined)
  const right = filled.filter(
    ({ timeMs, data }) => !ledger.jobs.has(timeMs / cycleMs) && data["actual"] === 0,
  )
  const missing = cycles - ledger.jobs.size
  return {
    holds: right.length === missing && filled.length === missing && missing > 0,
    sentence: `Sparse: ${right.length} of ${missing} cycles without a sample are filled with 0`,
  }
}

function checkClosings({ closings, span }: FleetObservations): CheckResult {
  const cycles = (span.endMs - span.startMs) / cycleMs
  return {
    holds: closings.length === cycles,
    sentence: `Cycles: ${closings.length} of ${cycles} were closed`,
  }
}
