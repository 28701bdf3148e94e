/**
 * For which elements configurations are.
 *
 * The parts that look at the element itself are judged once for each state of it. `metricMatches`
 * asks whether the element has such a metric: the public Linux package switches the bands of
 * `netuitive.linux.…` under a scope that matches `cpu.total.…` only, so it cannot mean the metric
 * whose settings are looked for. Metrics come and do not go, so what was met stays met.
 */

import { BoundedCache } from "../base/bounded-cache.ts"
import { runSync, type Cooperative } from "../base/cooperative.ts"
import type { ElementInfo } from "../model/element.ts"
import type { ConfigurationScope, ElementSubject } from "./configuration.ts"
import { ElementIndex } from "./element-index.ts"
import { PatternIndex } from "./pattern-index.ts"

/** Numbers of the configurations that are for an element; equal ones are one object. */
export interface ScopeSet {
  readonly numbers: ReadonlySet<number>
}

interface ElementState {
  /** Distinct scopes. */
  readonly met: Set<number>
  /** Those that wait for a metric. */
  readonly waiting: Set<number>
  /** How many of the element's metrics have been looked at. */
  metricsSeen: number
  set: ScopeSet | null
}

/** Distinct scopes, and the numbers of the configurations that have each. */
interface Distinct {
  readonly scopes: readonly ConfigurationScope[]
  readonly numbers: readonly (readonly number[])[]
}

/** Names whose looked-up answers are kept: 100 bytes each. */
const rememberedNamesMax = 100_000

export class Scopes {
  private readonly scopes: Distinct["scopes"]
  private readonly numbers: Distinct["numbers"]
  private readonly byElement: ElementIndex
  private readonly metricIndex: PatternIndex
  private readonly states = new WeakMap<ElementInfo, ElementState>()
  private readonly sets = new Map<string, ScopeSet>()
  private readonly metByName = new BoundedCache<string, readonly number[]>(
    rememberedNamesMax,
    "all",
  )

  private constructor(distinct: Distinct, byElement: ElementIndex, metricIndex: PatternIndex) {
    this.scopes = distinct.scopes
    this.numbers = distinct.numbers
    this.byElement = byElement
    this.metricIndex = metricIndex
  }

  static of(scopes: readonly ConfigurationScope[]): Scopes {
    return runSync(Scopes.steps(scopes))
  }

  static *steps(all: readonly ConfigurationScope[]): Cooperative<Scopes> {
    const distinct = yield* distinctOf(all)
    const byElement = yield* ElementIndex.steps(distinct.scopes)
    const wanted = distinct.scopes.map(({ metricMatches }) => metricMatches ?? "")
    return new Scopes(distinct, byElement, yield* PatternIndex.steps(wanted))
  }

  of(subject: ElementSubject): ScopeSet {
    let state = this.states.get(subject.info)
    if (state === undefined) this.states.set(subject.info, (state = this.stateOf(subject)))
    this.lookAtMetrics(state, subject)
    state.set ??= this.setOf(state.met)
    return state.set
  }

  private stateOf({ fqn, info }: ElementSubject): ElementState {
    const state: ElementState = { met: new Set(), waiting: new Set(), metricsSeen: 0, set: null }
    for (const scope of this.byElement.find(fqn, info)) {
      const { metricMatches } = this.scopes[scope]!
      const isMet = metricMatches === null
      if (isMet) state.met.add(scope)
      else state.waiting.add(scope)
    }
    return state
  }

  private lookAtMetrics(state: ElementState, subject: ElementSubject): void {
    while (state.metricsSeen < subject.metricCount && state.waiting.size > 0) {
      for (const scope of this.metBy(subject.metricFqn(state.metricsSeen++))) {
        if (!state.waiting.delete(scope)) continue
        state.met.add(scope)
        state.set = null
      }
    }
  }

  private metBy(fqn: string): readonly number[] {
    const known = this.metByName.get(fqn)
    if (known !== undefined) return known
    const met = this.metricIndex.find(fqn, (scope) => this.scopes[scope]!.metricMatches !== null)
    this.metByName.set(fqn, met)
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

function* distinctOf(all: readonly ConfigurationScope[]): Cooperative<Distinct> {
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
