/**
 * Interface through which the catalogue gets the settings of metrics from analytic configurations,
 * which are in a higher layer.
 */

import type { TenantIndex } from "../model/ids.ts"
import type { ElementInfo } from "../model/element.ts"
import type { MetricSettings } from "../model/metric-settings.ts"

/** An element whose metrics get settings; a view that is valid until the catalogue changes. */
export interface SettingsTarget {
  readonly fqn: string
  /** The same object as long as the info has not changed. */
  readonly info: ElementInfo
  readonly metricCount: number
  /** In order of appearance. */
  metricFqn(at: number): string
}

/** The configurations of one tenant. */
export interface SettingsSource {
  /**
   * Represents everything besides the metric's name on which the settings of the element's metrics
   * depend: while it is the same object, so are they.
   */
  scopeOf(element: SettingsTarget): object
  /** Equal settings are the same object. */
  settingsOf(element: SettingsTarget, metricFqn: string): MetricSettings | undefined
}

/** The source of a tenant; undefined if it has no configurations. */
export type SettingsSources = (tenant: TenantIndex) => SettingsSource | undefined

const texts = new WeakMap<MetricSettings, string>()

/** Identifies settings; stringified once for all definitions that share them. */
export function settingsKey(settings: MetricSettings): string {
  let text = texts.get(settings)
  if (text === undefined) texts.set(settings, (text = JSON.stringify(settings)))
  return text
}
