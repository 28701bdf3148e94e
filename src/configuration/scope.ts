/**
 * For which elements configurations are.
 *
 * The parts that look at the element itself are judged once for each state of it. `metricMatches`
 * asks whether the element has such a metric: the public Linux package switches the bands of
 * `netuitive.linux.…` under a scope that matches `cpu.total.…` only, so it cannot mean the metric
 * whose settings are looked for. Metrics come and do not go, so what was met stays met.
 */

import { compilePattern, patternProblem } from "../base/pattern.ts"
import type { ElementInfo, NameValue } from "../model/element.ts"
import type { ConfigurationScope, ElementSubject } from "./configuration.ts"
import { PatternIndex } from "./pattern-index.ts"

/** Numbers of the configurations that are for an element; equal ones are one object. */
export interface ScopeSet {
  readonly numbers: ReadonlySet<number>
}

interface ElementState {
  readonly met: Set<number>
  /** Configurations that wait for a metric. */
  readonly waiting: Set<number>
  /** How many of the element's metrics have been looked at. */
  metricsSeen: number
  set: ScopeSet | null
}

type ElementTest = (fqn: string, info: ElementInfo) => boolean

/** Names whose looked-up answers are kept: 100 bytes each. */
const rememberedNamesMax = 100_000

export class Scopes {
  private readonly tests: readonly ElementTest[]
  private readonly waitsForMetric: readonly boolean[]
  private readonly metricIndex: PatternIndex
  private readonly states = new WeakMap<ElementInfo, ElementState>()
  private readonly sets = new Map<string, ScopeSet>()
  private readonly metByName = new Map<string, readonly number[]>()

  constructor(scopes: readonly ConfigurationScope[]) {
    this.tests = scopes.map(elementTest)
    this.waitsForMetric = scopes.map(({ metricMatches }) => metricMatches !== null)
    this.metricIndex = new PatternIndex(scopes.map(({ metricMatches }) => metricMatches ?? ""))
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
    this.tests.forEach((test, i) => {
      if (test(fqn, info)) (this.waitsForMetric[i] === true ? state.waiting : state.met).add(i)
    })
    return state
  }

  private lookAtMetrics(state: ElementState, subject: ElementSubject): void {
    while (state.metricsSeen < subject.metricCount && state.waiting.size > 0) {
      for (const number of this.metBy(subject.metricFqn(state.metricsSeen++))) {
        if (!state.waiting.delete(number)) continue
        state.met.add(number)
        state.set = null
      }
    }
  }

  private metBy(fqn: string): readonly number[] {
    const known = this.metByName.get(fqn)
    if (known !== undefined) return known
    if (this.metByName.size >= rememberedNamesMax) this.metByName.clear()
    const met = this.metricIndex.find(fqn, (number) => this.waitsForMetric[number]!)
    this.metByName.set(fqn, met)
    return met
  }

  private setOf(met: ReadonlySet<number>): ScopeSet {
    const key = [...met].sort((left, right) => left - right).join()
    let set = this.sets.get(key)
    if (set === undefined) this.sets.set(key, (set = { numbers: new Set(met) }))
    return set
  }
}

const caseless = { caseless: true }

/** What a scope asks of the element itself. */
function elementTest(scope: ConfigurationScope): ElementTest {
  const tests: ElementTest[] = []
  const types = new Set(scope.elementTypes.map((type) => type.toLowerCase()))
  if (types.size > 0) tests.push((_, { type }) => types.has(type.toLowerCase()))
  if (scope.elementName !== null) {
    const finds = nameTest(scope.elementName)
    tests.push((fqn, { name }) => finds(name) || finds(fqn))
  }
  if (scope.elementTags.length > 0) {
    const tags = scope.elementTags.map(tagTest)
    tests.push((_, { tags: sent, serviceTags = [] }) => {
      const isMet = (test: TagTest): boolean => sent.some(test) || serviceTags.some(test)
      return scope.elementTagsAll ? tags.every(isMet) : tags.some(isMet)
    })
  }
  return (fqn, info) => tests.every((test) => test(fqn, info))
}

function nameTest(wanted: string): (text: string) => boolean {
  if (patternProblem(wanted) === null) {
    const pattern = compilePattern(wanted, caseless)
    return (text) => pattern.test(text)
  }
  const lower = wanted.toLowerCase()
  return (text) => text.toLowerCase().includes(lower)
}

type TagTest = (tag: NameValue) => boolean

function tagTest({ name, value }: NameValue): TagTest {
  const [inName, inValue] = [compilePattern(name, caseless), compilePattern(value, caseless)]
  return (tag) => inName.test(tag.name) && inValue.test(tag.value)
}
