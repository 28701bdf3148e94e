/**
 * Settings application: gives the metrics of an element the settings of the analytic
 * configurations, as far as those or the element's info have changed since the last time.
 */

import type { ElementIndex, SeriesIndex, TenantIndex } from "../model/ids.ts"
import type { ElementInfo } from "../model/element.ts"
import type { MetricSettings } from "../model/metric-settings.ts"
import { Pages } from "./pages.ts"
import type { SettingsSources, SettingsTarget } from "./settings-source.ts"

/** The part of the catalogue that settings are applied to. */
interface ConfigurableCatalogue {
  elementTenant(element: ElementIndex): TenantIndex
  elementFqn(element: ElementIndex): string
  elementInfo(element: ElementIndex): ElementInfo
  elementSeries(element: ElementIndex): Int32Array
  metricFqn(series: SeriesIndex): string
  /** Returns true if the metric had other settings. */
  setSettings(series: SeriesIndex, settings: MetricSettings | undefined): boolean
}

/** The scope of an element without configurations. */
const noScope = {}

export class SettingsApplication {
  private readonly catalogue: ConfigurableCatalogue
  /** Supplies the settings of metrics; null in replicas, which only read them. */
  private sources: SettingsSources | null = null
  /** The source's scope object of each element when its settings were last applied. */
  private scopes = new Pages<object>()

  constructor(catalogue: ConfigurableCatalogue) {
    this.catalogue = catalogue
  }

  /** Elements and metrics that are added or changed from now on have the settings of `sources`. */
  setSources(sources: SettingsSources): void {
    this.sources = sources
    this.scopes = new Pages()
  }

  /** One metric a step; each step yields whether it changed one. */
  *steps(element: ElementIndex): Generator<boolean, void, undefined> {
    if (this.sources === null) return
    const { catalogue } = this
    const source = this.sources(catalogue.elementTenant(element))
    const target = this.targetOf(element)
    const scope = source?.scopeOf(target) ?? noScope
    if (this.scopes.get(element) === scope) return
    this.scopes.set(element, scope)
    for (const series of catalogue.elementSeries(element)) {
      const settings = source?.settingsOf(target, catalogue.metricFqn(series))
      yield catalogue.setSettings(series, settings)
    }
  }

  /** All steps; returns true if a metric was changed. */
  applyTo(element: ElementIndex): boolean {
    let isChanged = false
    for (const changed of this.steps(element)) isChanged ||= changed
    return isChanged
  }

  /** Gives a metric that is new to `element` its settings. */
  applyToNew(element: ElementIndex, series: SeriesIndex): void {
    const { catalogue } = this
    const source = this.sources?.(catalogue.elementTenant(element))
    if (source === undefined) return
    const target = this.targetOf(element)
    // The new metric may make a configuration apply to the element.
    if (this.scopes.get(element) !== source.scopeOf(target)) this.applyTo(element)
    else catalogue.setSettings(series, source.settingsOf(target, catalogue.metricFqn(series)))
  }

  /** Removes what is kept of an element. */
  forget(element: ElementIndex): void {
    this.scopes.remove(element)
  }

  private targetOf(element: ElementIndex): SettingsTarget {
    const { catalogue } = this
    const list = catalogue.elementSeries(element)
    return {
      fqn: catalogue.elementFqn(element),
      info: catalogue.elementInfo(element),
      metricCount: list.length,
      metricFqn: (at) => catalogue.metricFqn(list[at]!),
    }
  }
}
