/** What policies found at an element: travels from the thread that found it to the one that tells. */

import type { EventElement } from "../model/records/event.ts"

/** One condition as an event tells it. */
export interface ConditionResult {
  /** Its place among the conditions of the policy, as text. */
  readonly id: string
  readonly violating: boolean
  /** A sentence with what was compared. */
  readonly expression: string
}

/** `data.results` of an event, before it becomes text (spec/events §6). */
export interface PolicyResults {
  readonly violating: boolean
  readonly conditions: readonly ConditionResult[]
  /** FQNs of the metrics that violate, each once, in order of the conditions. */
  readonly metrics: readonly string[]
}

/** What is known of an element that is watched. */
export interface AffectedElement extends EventElement {
  readonly id: string
  readonly fqn: string
}

/** A policy's conditions held at an element for as many cycles as it asks. */
export interface Violation {
  readonly policyId: string
  readonly element: AffectedElement
  readonly results: PolicyResults
}
