/**
 * Resolves which configurations are for an element.
 *
 * The criteria on the element itself are evaluated once for each state of it. `metricMatches`
 * requires that the element has such a metric: the public Linux package switches the bands of
 * `netuitive.linux.…` under a scope that matches `cpu.total.…` only, so it cannot mean the metric
 * that gets the settings. Metrics are never removed, so a matched scope stays matched.
 */

import { BoundedCache } from "../base/bounded-cache.ts"
import { runSync, type Cooperative } from "../base/cooperative.ts"
import type { ElementInfo } from "../model/element.ts"
import type { ConfigurationScope, ConfiguredElement } from "./configuration.ts"
import { ElementScopeIndex } from "./element-index.ts"
import { PatternIndex } from "./pattern-index.ts"

/** Numbers of the configurations that are for an element; equal sets are the same object. */
export interface ScopeSet {
  readonly numbers: ReadonlySet<number>
}

interface ElementScopes {
  /** Distinct scopes. */
  readonly matched: Set<number>
  /** Scopes that match except for `metricMatches`. */
  readonly pending: Set<number>
  /** Count of the element's metrics matched so far. */
  metricsSeen: number
  set: ScopeSet | null
}

/** Distinct scopes, each with the numbers of its configurations. */
interface DistinctScopes {
  readonly scopes: readonly ConfigurationScope[]
  readonly numbers: readonly (readonly number[])[]
}

/** Cached metric names: 100 bytes each. */
const cachedNamesMax = 100_000

export class ScopeResolver {
  private readonly scopes: DistinctScopes["scopes"]
  private readonly numbers: DistinctScopes["numbers"]
  private readonly byElement: ElementScopeIndex
  private readonly metricIndex: PatternIndex
  private readonly states = new WeakMap<ElementInfo, ElementScopes>()
  private readonly sets = new Map<string, ScopeSet>()
  private readonly scopesByMetric = new BoundedCache<string, readonly number[]>(
    cachedNamesMax,
    "all",
  )

  private constructor(
    distinct: DistinctScopes,
    byElement: ElementScopeIndex,
    metricIndex: PatternIndex,
  ) {
    this.scopes = distinct.scopes
    this.numbers = distinct.numbers
    this.byElement = byElement
    this.metricIndex = metricIndex
  }

  static of(scopes: readonly ConfigurationScope[]): ScopeResolver {
    return runSync(ScopeResolver.steps(scopes))
  }

  static *steps(all: readonly ConfigurationScope[]): Cooperative<ScopeResolver> {
    const distinct = yield* distinctOf(all)
    const byElement = yield* ElementScopeIndex.steps(distinct.scopes)
    const wanted = distinct.scopes.map(({ metricMatches }) => metricMatches ?? "")
    return new ScopeResolver(distinct, byElement, yield* PatternIndex.steps(wanted))
  }

  of(subject: ConfiguredElement): ScopeSet {
    let state = this.states.get(subject.info)
    if (state === undefined) this.states.set(subject.info, (state = this.matchElement(subject)))
    this.matchMetrics(state, subject)
    state.set ??= this.setOf(state.matched)
    return state.set
  }

  private matchElement({ fqn, info }: ConfiguredElement): ElementScopes {
    const state: ElementScopes = {
      matched: new Set(),
      pending: new Set(),
      metricsSeen: 0,
      set: null,
    }
    for (const scope of this.byElement.find(fqn, info)) {
      const { metricMatches } = this.scopes[scope]!
      const isMet = metricMatches === null
      if (isMet) state.matched.add(scope)
      else state.pending.add(scope)
    }
    return state
  }

  private matchMetrics(state: ElementScopes, subject: ConfiguredElement): void {
    while (state.metricsSeen < subject.metricCount && state.pending.size > 0) {
      for (const scope of this.scopesMatching(subject.metricFqn(state.metricsSeen++))) {
        if (!state.pending.delete(scope)) continue
        state.matched.add(scope)
        state.set = null
      }
    }
  }

  private scopesMatching(fqn: string): readonly number[] {
    const known = this.scopesByMetric.get(fqn)
    if (known !== undefined) return known
    const met = this.metricIndex.find(fqn, (scope) => this.scopes[scope]!.metricMatches !== null)
    this.scopesByMetric.set(fqn, met)
    return met
  }

  private setOf(met: ReadonlySet<number>): ScopeSet {
    const scopes = [...met].sort((left, right) => left - right)
    const key = scopes.join()
    let set = this.sets.get(key)
    if (set === undefined) {
      set = { numbers: new Set(scopes.flatMap((scope) => this.numbers[scope]!)) }
      this.sets.set(key, set)
    }
    return set
  }
}

function* distinctOf(all: readonly ConfigurationScope[]): Cooperative<DistinctScopes> {
  const distinct = new Map<string, { scope: ConfigurationScope; numbers: number[] }>()
  for (const [number, scope] of all.entries()) {
    const text = JSON.stringify(scope)
    const known = distinct.get(text)
    if (known === undefined) distinct.set(text, { scope, numbers: [number] })
    else known.numbers.push(number)
    yield
  }
  return {
    scopes: Array.from(distinct.values(), ({ scope }) => scope),
    numbers: Array.from(distinct.values(), ({ numbers }) => numbers),
  }
}
