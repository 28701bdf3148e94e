/** Where the catalogue has the settings of metrics from: analytic configurations, further up. */

import type { ElementInfo } from "../model/element.ts"
import type { MetricSettings } from "../model/metric-settings.ts"

/** An element whose metrics are to be settled; a view that holds until the catalogue changes. */
export interface SettingsTarget {
  readonly fqn: string
  /** The same object as long as nothing of it has changed. */
  readonly info: ElementInfo
  readonly metricCount: number
  /** In order of appearance. */
  metricFqn(at: number): string
}

/** What the configurations of one tenant say. */
export interface SettingsSource {
  /**
   * Stands for all that the settings of the element's metrics depend on beside their names: while
   * it is the same object, so are they.
   */
  scopeOf(element: SettingsTarget): object
  /** Equal settings are the same object. */
  settingsOf(element: SettingsTarget, metricFqn: string): MetricSettings | undefined
}

/** Of a tenant; undefined where it has no configurations. */
export type SettingsSources = (tenant: number) => SettingsSource | undefined

const texts = new WeakMap<MetricSettings, string>()

/** Tells settings apart; stringified once for all definitions that share them. */
export function settingsKey(settings: MetricSettings): string {
  let text = texts.get(settings)
  if (text === undefined) texts.set(settings, (text = JSON.stringify(settings)))
  return text
}
