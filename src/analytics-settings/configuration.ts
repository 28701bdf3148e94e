/** Analytic configurations as packages bring them (spec/analytics §5), read and judged. */

import type { Expression } from "../formula/expression.ts"
import type { ElementInfo, NameValue } from "../model/element.ts"
import type { MetricSettings } from "../model/metric-settings.ts"

export const configurationTypes = ["ACE", "COMPUTED_METRIC", "METRIC_META"] as const
export type ConfigurationType = (typeof configurationTypes)[number]

/** Which elements a configuration is for; every part that is given must hold. */
export interface ConfigurationScope {
  /** The element's type is one of these, in either case; any where empty. */
  readonly elementTypes: readonly string[]
  /** The element has a metric in whose name this expression finds something. */
  readonly metricMatches: string | null
  /** Found in the element's name or id, as an expression, or as it is where it is none. */
  readonly elementName: string | null
  /** Expressions, found in the name and the value of a tag; in either case, as all the others. */
  readonly elementTags: readonly NameValue[]
  /** Whether all of the tags must be met, or any one. */
  readonly elementTagsAll: boolean
}

/** One metric's entry of an ACE or METRIC_META configuration. */
export interface SettingsEntry {
  readonly match: string
  readonly settings: MetricSettings
}

/** One entry of a COMPUTED_METRIC configuration. */
export interface ComputedEntry {
  /** Of what is computed; may hold `${1}`. */
  readonly fqn: string
  readonly name: string | null
  /** One output a metric in whose name this finds something; one an element where null. */
  readonly capture: string | null
  /** Tried in turn: the first that can be evaluated is the value. */
  readonly expressions: readonly Expression[]
}

export interface AnalyticConfiguration {
  readonly type: ConfigurationType
  readonly name: string
  readonly scope: ConfigurationScope
  /** Of ACE and METRIC_META; else empty. */
  readonly settings: readonly SettingsEntry[]
  /** Of COMPUTED_METRIC; else empty. */
  readonly computed: readonly ComputedEntry[]
}

/** An element as scopes and expressions see it. */
export interface ConfiguredElement {
  readonly fqn: string
  /** The same object as long as nothing of it has changed, as in the catalogue. */
  readonly info: ElementInfo
  /** Its metrics, computed ones too, in order of appearance: none goes while `info` is the same. */
  readonly metricCount: number
  metricFqn(at: number): string
}
