/**
 * Resolves the settings of a metric: merges all entries of ACE and METRIC_META configurations that
 * are for its element and whose expression matches in its name, ignoring case.
 *
 *   rank 0  part    the expression matches a part of the name
 *        1  whole   it matches the whole name
 *        2  exact   it is the name
 *
 * Properties of a higher rank override those of a lower one; within a rank, later entries override
 * earlier ones. An entry that is a plain name and only a part of this name is skipped if its
 * configuration has an entry with this exact name: the Kubernetes package makes `network.rx` a
 * counter, and lists `network.rx_rate`, which contains that name, as a metric of its own.
 */

import { BoundedCache } from "../base/bounded-cache.ts"
import { runSync, type Cooperative } from "../base/cooperative.ts"
import type { MetricSettings } from "../model/metric-settings.ts"
import type { AnalyticConfiguration, ConfiguredElement, SettingsEntry } from "./configuration.ts"
import { PatternIndex } from "./pattern-index.ts"
import { ScopeResolver, type ScopeSet } from "./scope-resolver.ts"

interface Entry extends SettingsEntry {
  /** Number of its configuration. */
  readonly configuration: number
  /** The name in lower case if the expression is a plain name, whose dots mean dots; else null. */
  readonly plain: string | null
}

/** Cached results: 100 bytes each. */
const cachedSettingsMax = 200_000

export class ConfigurationSet {
  private readonly entries: readonly Entry[]
  private readonly index: PatternIndex
  private readonly scopes: ScopeResolver
  private readonly interned = new Map<string, MetricSettings>()
  private readonly settingsByEntries = new BoundedCache<string, MetricSettings | undefined>(
    cachedSettingsMax,
    "all",
  )
  private settingsByScope = new Map<ScopeSet, Map<string, MetricSettings | undefined>>()
  private cachedCount = 0

  private constructor(entries: readonly Entry[], index: PatternIndex, scopes: ScopeResolver) {
    this.entries = entries
    this.index = index
    this.scopes = scopes
  }

  /** `configurations` in order of precedence: later ones override earlier ones. */
  static of(configurations: readonly AnalyticConfiguration[]): ConfigurationSet {
    return runSync(ConfigurationSet.steps(configurations))
  }

  /** `of` in steps: compiling thousands of expressions takes a second. */
  static *steps(configurations: readonly AnalyticConfiguration[]): Cooperative<ConfigurationSet> {
    const relevant = yield* withoutDuplicates(
      configurations.filter(({ settings }) => settings.length > 0),
    )
    const scopes = yield* ScopeResolver.steps(relevant.map(({ scope }) => scope))
    const entries: Entry[] = []
    for (const [i, { settings }] of relevant.entries()) {
      for (const one of settings) entries.push(entryOf(one, i))
      yield
    }
    const index = yield* PatternIndex.steps(entries.map(({ match }) => match))
    return new ConfigurationSet(entries, index, scopes)
  }

  /** True if no metric gets any settings. */
  get isEmpty(): boolean {
    return this.entries.length === 0
  }

  /**
   * The configurations that are for an element; equal sets are the same object. Another object
   * means that the settings of every metric of the element may have changed.
   */
  scopeOf(subject: ConfiguredElement): ScopeSet {
    return this.scopes.of(subject)
  }

  /** Undefined if no entry sets anything. Equal settings are the same object. */
  settingsOf(subject: ConfiguredElement, metricFqn: string): MetricSettings | undefined {
    const scope = this.scopes.of(subject)
    if (scope.numbers.size === 0) return undefined
    let known = this.settingsByScope.get(scope)
    if (known === undefined) this.settingsByScope.set(scope, (known = new Map()))
    const settings = known.get(metricFqn)
    if (settings !== undefined || known.has(metricFqn)) return settings
    return this.computeSettings(scope, metricFqn)
  }

  private computeSettings(scope: ScopeSet, fqn: string): MetricSettings | undefined {
    if (++this.cachedCount > cachedSettingsMax) {
      this.settingsByScope = new Map()
      this.cachedCount = 1
    }
    let known = this.settingsByScope.get(scope)
    if (known === undefined) this.settingsByScope.set(scope, (known = new Map()))
    const settings = this.resolve(scope, fqn)
    known.set(fqn, settings)
    return settings
  }

  private resolve(scope: ScopeSet, fqn: string): MetricSettings | undefined {
    const isWanted = (entry: number): boolean =>
      scope.numbers.has(this.entries[entry]!.configuration)
    const found = this.index.find(fqn, isWanted)
    const lower = fqn.toLowerCase()
    const named = new Set<number>()
    for (const number of found) {
      const { plain, configuration } = this.entries[number]!
      if (plain === lower) named.add(configuration)
    }
    const byRank: number[][] = [[], [], []]
    for (const number of found) {
      const { plain, configuration } = this.entries[number]!
      const isWhole = (): boolean => this.index.fits(number, fqn, lower)
      const rank = plain === lower ? 2 : isWhole() ? 1 : 0
      const isPassedOver = rank === 0 && plain !== null && named.has(configuration)
      if (!isPassedOver) byRank[rank]!.push(number)
    }
    return this.settingsOfEntries(byRank.flat())
  }

  /** Cached, since many names match the same entries, such as those of the disks of one host. */
  private settingsOfEntries(numbers: readonly number[]): MetricSettings | undefined {
    if (numbers.length === 0) return undefined
    const key = numbers.join()
    const known = this.settingsByEntries.get(key)
    if (known !== undefined || this.settingsByEntries.has(key)) return known
    const settings = this.intern(merged(numbers.map((number) => this.entries[number]!.settings)))
    this.settingsByEntries.set(key, settings)
    return settings
  }

  private intern(settings: MetricSettings): MetricSettings | undefined {
    const pairs = Object.entries(settings).sort(([left], [right]) => (left < right ? -1 : 1))
    if (pairs.length === 0) return undefined
    const text = JSON.stringify(pairs)
    let known = this.interned.get(text)
    if (known === undefined) {
      known = Object.freeze(Object.fromEntries(pairs) as MetricSettings)
      this.interned.set(text, known)
    }
    return known
  }
}

function entryOf(entry: SettingsEntry, configuration: number): Entry {
  const { match } = entry
  return {
    ...entry,
    configuration,
    plain: plainName(match),
  }
}

/** The name in lower case if the expression, with its dots taken literally, is one; else null. */
function plainName(match: string): string | null {
  const name = match
    .replace(/^\^|\$$/g, "")
    .replaceAll("\\.", ".")
    .replaceAll("[.]", ".")
  return /^[\w.-]+$/.test(name) ? name.toLowerCase() : null
}

/** Of configurations with equal scope and settings, only the last one: it overrides the others. */
function* withoutDuplicates(
  configurations: readonly AnalyticConfiguration[],
): Cooperative<AnalyticConfiguration[]> {
  const distinct = new Map<string, AnalyticConfiguration>()
  for (const configuration of configurations) {
    const { scope, settings } = configuration
    const text = JSON.stringify([scope, settings])
    distinct.delete(text)
    distinct.set(text, configuration)
    yield
  }
  return [...distinct.values()]
}

/** Later settings override earlier ones; tags do so name by name. */
function merged(list: readonly MetricSettings[]): MetricSettings {
  const tags: Record<string, string> = {}
  const settings: MetricSettings = {}
  for (const one of list) {
    Object.assign(settings, one)
    Object.assign(tags, one.tags)
  }
  const sorted = sortedTags(tags)
  return sorted === null ? settings : { ...settings, tags: sorted }
}

function sortedTags(tags: Record<string, string>): Record<string, string> | null {
  const names = Object.keys(tags).sort()
  return names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, tags[name]!]))
}
