/** Analytic configurations of packages (spec/analytics §5), parsed and validated. */

import type { Expression } from "../formula/expression.ts"
import type { ElementInfo, NameValue } from "../model/element.ts"
import type { MetricSettings } from "../model/metric-settings.ts"

export const configurationTypes = ["ACE", "COMPUTED_METRIC", "METRIC_META"] as const
export type ConfigurationType = (typeof configurationTypes)[number]

/** The elements that a configuration is for: those that meet every given criterion. */
export interface ConfigurationScope {
  /** The element's type is one of these, ignoring case; any type if empty. */
  readonly elementTypes: readonly string[]
  /** The element has a metric in whose name this expression matches. */
  readonly metricMatches: string | null
  /** Matches in the element's name or FQN; taken literally if it is no valid expression. */
  readonly elementName: string | null
  /** Expressions that match in the name and in the value of a tag. All expressions ignore case. */
  readonly elementTags: readonly NameValue[]
  /** Whether all of the tags must match, or any one. */
  readonly elementTagsAll: boolean
}

/** One metric's entry of an ACE or METRIC_META configuration. */
export interface SettingsEntry {
  readonly match: string
  readonly settings: MetricSettings
}

/** One entry of a COMPUTED_METRIC configuration. */
export interface ComputedEntry {
  /** FQN of the computed metric; may contain placeholders such as `${1}`. */
  readonly fqn: string
  readonly name: string | null
  /** One computed metric for each metric whose name this matches; one an element if null. */
  readonly capture: string | null
  /** Tried in order: the first that can be evaluated is the value. */
  readonly expressions: readonly Expression[]
}

export interface AnalyticConfiguration {
  readonly type: ConfigurationType
  readonly name: string
  readonly scope: ConfigurationScope
  /** Entries of ACE and METRIC_META; empty for other types. */
  readonly settings: readonly SettingsEntry[]
  /** Entries of COMPUTED_METRIC; empty for other types. */
  readonly computed: readonly ComputedEntry[]
}

/** The fields of an element that scopes use. */
export interface ConfiguredElement {
  readonly fqn: string
  /** The catalogue's object, which is replaced if anything in it changes. */
  readonly info: ElementInfo
  /** Count of its metrics, including computed ones; grows only while `info` is the same. */
  readonly metricCount: number
  metricFqn(index: number): string
}
