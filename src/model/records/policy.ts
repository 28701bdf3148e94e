/** Policies: which elements they watch, what they look for, and what they then do. */

import type { NameValue } from "../element.ts"
import type { EventLevel, LevelNumber } from "./event-level.ts"
import { cycleMs } from "../resolution.ts"

/** Which elements a policy watches: those that pass every field. An empty scope takes all. */
export interface PolicyScope {
  readonly elementName: string | null
  readonly elementNameRegex: boolean
  readonly elementNameExclude: string | null
  readonly elementNameExcludeRegex: boolean
  readonly fqnIncludes: readonly string[]
  readonly fqnExcludes: readonly string[]
  readonly elementType: string | null
  readonly elementTypes: readonly string[]
  /** Names and values are regular expressions, found anywhere, in either case. */
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
  /** A metric's FQN; null where `wildcard` is given. */
  readonly metric: string | null
  /** A regular expression, found anywhere in a metric's FQN, in either case. */
  readonly wildcard: string | null
  readonly metricScopeTags: Readonly<Record<string, string>>
  readonly analytic: Analytic
  readonly operator: Operator
  readonly level: number | null
  readonly level2: number | null
  /** The FQN of another metric to compare with, in place of `level`. */
  readonly metricThresholdLevel: string | null
  readonly metricThresholdAnalytic: Analytic | null
}

/** Expressions are found anywhere, in either case; null matches everything. */
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

/** A policy beside its id and times. */
export interface Policy {
  readonly name: string
  readonly description: string | null
  readonly scope: PolicyScope
  /** Seconds for which the conditions must hold: whole five-minute cycles. */
  readonly duration: number
  /** One condition is enough; else all must hold. */
  readonly anyCondition: boolean
  readonly conditions: readonly PolicyCondition[]
  readonly eventConditions: readonly PolicyEventCondition[]
  readonly checkCondition: { readonly checkName: string } | null
  readonly actions: readonly PolicyAction[]
  readonly enabled: boolean
  readonly deleted: boolean
  readonly creatorEmail: string | null
}

/** Takes every element. */
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

/** What a policy is in that nobody said otherwise: it watches everything for nothing. */
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
