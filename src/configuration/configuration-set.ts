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

import { compilePattern, type Pattern } from "../base/pattern.ts"
import type { MetricSettings } from "../model/metric-settings.ts"
import type { AnalyticConfiguration, ElementSubject, SettingsEntry } from "./configuration.ts"
import { PatternIndex } from "./pattern-index.ts"
import { Scopes, type ScopeSet } from "./scope.ts"

interface Entry extends SettingsEntry {
  /** Number of its configuration. */
  readonly configuration: number
  /** Compiled when it is first asked. */
  whole: Pattern | undefined
  /** Lower case, where the expression is a mere name: dots stand for dots there. */
  readonly plain: string | null
}

/** Answers that are kept: 100 bytes each. */
const rememberedMax = 200_000

export class ConfigurationSet {
  private readonly entries: readonly Entry[]
  private readonly index: PatternIndex
  private readonly scopes: Scopes
  private readonly interned = new Map<string, MetricSettings>()
  private remembered = new Map<ScopeSet, Map<string, MetricSettings | undefined>>()
  private rememberedCount = 0

  /** In order: later ones win over earlier ones. */
  constructor(configurations: readonly AnalyticConfiguration[]) {
    const relevant = configurations.filter(({ settings }) => settings.length > 0)
    this.scopes = new Scopes(relevant.map(({ scope }) => scope))
    this.entries = relevant.flatMap(({ settings }, i) => settings.map((one) => entryOf(one, i)))
    this.index = new PatternIndex(this.entries.map(({ match }) => match))
  }

  /** True where no metric gets any settings. */
  get isEmpty(): boolean {
    return this.entries.length === 0
  }

  /**
   * Which configurations are for an element: the same object as long as they are the same ones. A
   * change means that every metric of the element may have other settings.
   */
  scopeOf(subject: ElementSubject): ScopeSet {
    return this.scopes.of(subject)
  }

  /** Undefined where no entry says anything. Equal settings are the same object. */
  settingsOf(subject: ElementSubject, metricFqn: string): MetricSettings | undefined {
    const scope = this.scopes.of(subject)
    if (scope.numbers.size === 0) return undefined
    let known = this.remembered.get(scope)
    if (known === undefined) this.remembered.set(scope, (known = new Map()))
    const settings = known.get(metricFqn)
    if (settings !== undefined || known.has(metricFqn)) return settings
    return this.remember(scope, metricFqn)
  }

  private remember(scope: ScopeSet, fqn: string): MetricSettings | undefined {
    if (++this.rememberedCount > rememberedMax) {
      this.remembered = new Map()
      this.rememberedCount = 1
    }
    let known = this.remembered.get(scope)
    if (known === undefined) this.remembered.set(scope, (known = new Map()))
    const settings = this.resolve(scope, fqn)
    known.set(fqn, settings)
    return settings
  }

  private resolve(scope: ScopeSet, fqn: string): MetricSettings | undefined {
    const isWanted = (entry: number): boolean =>
      scope.numbers.has(this.entries[entry]!.configuration)
    const found = this.index.find(fqn, isWanted).map((entry) => this.entries[entry]!)
    const lower = fqn.toLowerCase()
    const named = new Set(
      found.filter(({ plain }) => plain === lower).map(({ configuration }) => configuration),
    )
    const byRank: MetricSettings[][] = [[], [], []]
    for (const entry of found) {
      const rank = rankOf(entry, fqn, lower)
      const isPassedOver = rank === 0 && entry.plain !== null && named.has(entry.configuration)
      if (!isPassedOver) byRank[rank]!.push(entry.settings)
    }
    return this.intern(merged(byRank.flat()))
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
    whole: undefined,
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

function rankOf(entry: Entry, fqn: string, lower: string): 0 | 1 | 2 {
  if (entry.plain === lower) return 2
  entry.whole ??= compilePattern(entry.match, { caseless: true, whole: true })
  return entry.whole.test(fqn) ? 1 : 0
}

/** Later ones win, tags by name. */
function merged(list: readonly MetricSettings[]): MetricSettings {
  let settings: MetricSettings = {}
  for (const one of list) {
    const tags = sortedTags({ ...settings.tags, ...one.tags })
    settings = { ...settings, ...one, ...(tags === null ? {} : { tags }) }
  }
  return settings
}

function sortedTags(tags: Record<string, string>): Record<string, string> | null {
  const names = Object.keys(tags).sort()
  return names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, tags[name]!]))
}
