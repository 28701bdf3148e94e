/**
 * For which elements configurations are.
 *
 * The parts that look at the element itself are judged once for each state of it. `metricMatches`
 * asks whether the element has such a metric: the public Linux package switches the bands of
 * `netuitive.linux.…` under a scope that matches `cpu.total.…` only, so it cannot mean the metric
 * whose settings are looked for. Metrics come and do not go, so what was met stays met.
 */

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

/** Names whose looked-up answers are kept: 100 bytes each. */
const rememberedNamesMax = 100_000

export class Scopes {
  /** Distinct scopes, and the configurations that have each. */
  private readonly scopes: readonly ConfigurationScope[]
  private readonly numbers: readonly (readonly number[])[]
  private readonly byElement: ElementIndex
  private readonly metricIndex: PatternIndex
  private readonly states = new WeakMap<ElementInfo, ElementState>()
  private readonly sets = new Map<string, ScopeSet>()
  private readonly metByName = new Map<string, readonly number[]>()

  constructor(scopes: readonly ConfigurationScope[]) {
    const distinct = new Map<string, { scope: ConfigurationScope; numbers: number[] }>()
    scopes.forEach((scope, number) => {
      const text = JSON.stringify(scope)
      const known = distinct.get(text)
      if (known === undefined) distinct.set(text, { scope, numbers: [number] })
      else known.numbers.push(number)
    })
    this.scopes = Array.from(distinct.values(), ({ scope }) => scope)
    this.numbers = Array.from(distinct.values(), ({ numbers }) => numbers)
    this.byElement = new ElementIndex(this.scopes)
    this.metricIndex = new PatternIndex(this.scopes.map(({ metricMatches }) => metricMatches ?? ""))
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
    if (this.metByName.size >= rememberedNamesMax) this.metByName.clear()
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
