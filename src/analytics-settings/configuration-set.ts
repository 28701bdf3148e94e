/**
 * Which settings a metric gets: all entries of ACE and METRIC_META configurations that are for its
 * element and find something in its name, in either case.
 *
 *   0  part    the expression finds a part of the name
 *   1  whole   it fits the whole name
 *   2  exact   it is the name
 *
 * Each adds its properties, those of a higher rank over those of a lower, and later over earlier
 * within one. An entry that is a mere name and only a part of this one is passed over where its
 * configuration has an entry that is this name: the Kubernetes package makes `network.rx` a counter
 * and lists `network.rx_rate`, in which the former stands too, beside it.
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
  /** Lower case, where the expression is a mere name: dots stand for dots there. */
  readonly plain: string | null
}

/** Answers that are kept: 100 bytes each. */
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

  /** In order: later ones win over earlier ones. */
  static of(configurations: readonly AnalyticConfiguration[]): ConfigurationSet {
    return runSync(ConfigurationSet.steps(configurations))
  }

  /** The same in steps: thousands of expressions take a second to be made ready. */
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

  /** True where no metric gets any settings. */
  get isEmpty(): boolean {
    return this.entries.length === 0
  }

  /**
   * Which configurations are for an element: the same object as long as they are the same ones. A
   * change means that every metric of the element may have other settings.
   */
  scopeOf(subject: ConfiguredElement): ScopeSet {
    return this.scopes.of(subject)
  }

  /** Undefined where no entry says anything. Equal settings are the same object. */
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

  /** The same entries come together for many names, as those of the disks of one host. */
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

/** The name that an expression is when its dots are meant as dots. */
function plainName(match: string): string | null {
  const name = match
    .replace(/^\^|\$$/g, "")
    .replaceAll("\\.", ".")
    .replaceAll("[.]", ".")
  return /^[\w.-]+$/.test(name) ? name.toLowerCase() : null
}

/** Of those that say the same of the same elements, the last one: it wins over the others. */
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

/** Later ones win, tags by name. */
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
