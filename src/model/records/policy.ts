/** Policies: the elements they watch, their conditions, and their actions. */

import type { NameValue } from "../element.ts"
import type { EventLevel, LevelNumber } from "./event-level.ts"
import { cycleMs } from "../resolution.ts"

/** The elements that a policy watches: those that match every field. An empty scope matches all. */
export interface PolicyScope {
  readonly elementName: string | null
  readonly elementNameRegex: boolean
  readonly elementNameExclude: string | null
  readonly elementNameExcludeRegex: boolean
  readonly fqnIncludes: readonly string[]
  readonly fqnExcludes: readonly string[]
  readonly elementType: string | null
  readonly elementTypes: readonly string[]
  /** Names and values are regular expressions, matched anywhere, in either case. */
  readonly elementTags: readonly NameValue[]
  readonly elementTagsAll: boolean
  readonly excludedElementTags: readonly NameValue[]
  readonly elementAttributes: readonly NameValue[]
  readonly elementAttributesAll: boolean
  readonly excludedElementAttributes: readonly NameValue[]
}

export const analytics = [
  "actual",
  "baselineDeviation",
  "contextualDeviation",
  "suddenDeviation",
] as const
export type Analytic = (typeof analytics)[number]

/** Operators by analytic (spec/policies §3). */
export const operators = {
  actual: [">", ">=", "<", "<=", "==", "!="],
  baselineDeviation: [">", "<", "defined", "undefined"],
  contextualDeviation: [">", "<", "defined", "undefined"],
  suddenDeviation: [">", ">=", "<", "<="],
} as const satisfies Readonly<Record<Analytic, readonly string[]>>
export type Operator = (typeof operators)[Analytic][number]

export interface PolicyCondition {
  /** A metric's FQN; null if `wildcard` is set. */
  readonly metric: string | null
  /** A regular expression, matched anywhere in a metric's FQN, in either case. */
  readonly wildcard: string | null
  readonly metricScopeTags: Readonly<Record<string, string>>
  readonly analytic: Analytic
  readonly operator: Operator
  readonly level: number | null
  readonly level2: number | null
  /** The FQN of another metric to compare with, instead of `level`. */
  readonly metricThresholdLevel: string | null
  readonly metricThresholdAnalytic: Analytic | null
}

/** Expressions match anywhere, in either case; null matches everything. */
export interface PolicyEventCondition {
  readonly messageRegex: string | null
  readonly titleRegex: string | null
  readonly sourceRegex: string | null
  readonly level: EventLevel | null
}

export interface EventAction {
  readonly type: "event"
  readonly category: LevelNumber
}

export interface NotificationAction {
  readonly type: "notification"
  readonly id: number
  readonly enabled: boolean
  readonly notifyFrequencyMin: number
  readonly sendOnClear: boolean
}

export type PolicyAction = EventAction | NotificationAction

/** A policy without its id and times. */
export interface Policy {
  readonly name: string
  readonly description: string | null
  readonly scope: PolicyScope
  /** Seconds for which the conditions must match: whole five-minute cycles. */
  readonly duration: number
  /** True if one condition is enough; otherwise all must match. */
  readonly anyCondition: boolean
  readonly conditions: readonly PolicyCondition[]
  readonly eventConditions: readonly PolicyEventCondition[]
  readonly checkCondition: { readonly checkName: string } | null
  readonly actions: readonly PolicyAction[]
  readonly enabled: boolean
  readonly deleted: boolean
  readonly creatorEmail: string | null
}

/** Matches every element. */
export const matchAllScope: PolicyScope = {
  elementName: null,
  elementNameRegex: false,
  elementNameExclude: null,
  elementNameExcludeRegex: false,
  fqnIncludes: [],
  fqnExcludes: [],
  elementType: null,
  elementTypes: [],
  elementTags: [],
  elementTagsAll: true,
  excludedElementTags: [],
  elementAttributes: [],
  elementAttributesAll: true,
  excludedElementAttributes: [],
}

/** The defaults of all fields: watches everything, without conditions or actions. */
export const defaultPolicy: Policy = {
  name: "",
  description: null,
  scope: matchAllScope,
  duration: cycleMs / 1000,
  anyCondition: false,
  conditions: [],
  eventConditions: [],
  checkCondition: null,
  actions: [],
  enabled: true,
  deleted: false,
  creatorEmail: null,
}
