/** Violations: passed from the thread that evaluates policies to the incident pipeline. */

import type { ComparedValue } from "../model/records/compared-value.ts"
import type { EventElement } from "../model/records/event.ts"

/** Result of one condition, as an event contains it. */
export interface ConditionResult {
  /** Its index among the conditions of the policy, as text. */
  readonly id: string
  readonly violating: boolean
  /** A sentence with the compared values. */
  readonly expression: string
  /** The numbers of the sentence; absent for a condition on events and for a check. */
  readonly compared?: readonly ComparedValue[]
}

/** `data.results` of an event, before it is serialized (spec/events §6). */
export interface PolicyResults {
  readonly violating: boolean
  readonly conditions: readonly ConditionResult[]
  /** FQNs of the violating metrics, each once, in order of the conditions. */
  readonly metrics: readonly string[]
}

/** The element of a violation or event, as events contain it. */
export interface AffectedElement extends EventElement {
  readonly id: string
  readonly fqn: string
}

/** A policy whose conditions matched at an element for as many cycles as it requires. */
export interface Violation {
  readonly policyId: string
  readonly element: AffectedElement
  readonly results: PolicyResults
}

/** An element of which a cycle was evaluated: it says why an incident without a violation ends. */
export interface EvaluatedElement {
  readonly fqn: string
  /** True if no sample of it arrived in the cycle; not of an element that no policy watches. */
  readonly isSilent: boolean
  /** Ids of the policies that watch it; not looked up, and empty, if it is inactive. */
  readonly policyIds: readonly string[]
  /**
   * Metrics without a value in the cycle, neither collected nor filled nor computed; not listed if
   * the element is silent.
   */
  readonly silentMetrics: readonly string[]
}
