/**
 * Computed metrics (spec/analytics §6): which ones each element has, in which order they are worked
 * out, and their values in one cycle.
 *
 * What depends on names only (captures, members of `sum(…)`, the order) is worked out once for all
 * elements that have the same metrics under the same configurations; a cycle works out numbers.
 */

import { BoundedCache } from "../base/bounded-cache.ts"
import type { CycleStatistic, Expression } from "../formula/expression.ts"
import { evaluate, type ExpressionInputs } from "../formula/evaluate.ts"
import type { ElementInfo } from "../model/element.ts"
import type { AnalyticConfiguration } from "./configuration.ts"
import { dependencyOrder } from "./dependency-order.ts"
import { expressionProblem } from "./lookahead.ts"
import { NamePattern } from "./name-pattern.ts"
import {
  deriveOutputs,
  compileRule,
  type ComputedOutput,
  type ComputedRule,
} from "./computed-outputs.ts"
import { ScopeResolver, type ScopeSet } from "./scope-resolver.ts"

/** An element as configurations see it. */
export interface ComputedElement {
  readonly fqn: string
  /** The catalogue's: the same object as long as nothing of it has changed. */
  readonly info: ElementInfo
  /**
   * All of its metrics in order of appearance, those computed before too; never changed. Elements
   * with the same metrics best give the same list: what is worked out of names is kept by it.
   */
  readonly metricFqns: readonly string[]
}

/** An element in one cycle. */
export interface ComputedSubject extends ComputedElement {
  /**
   * Of a collected or sparsely filled metric in this cycle, by its place in `metricFqns`;
   * undefined where it has none.
   */
  valueOf(place: number, statistic: CycleStatistic): number | undefined
}

export interface ComputedMetric {
  readonly fqn: string
  /** The display name that the configuration gives. */
  readonly name: string | null
  /** In `metricFqns`; behind them where it is none of them. */
  readonly place: number
}

export type EmitComputed = (metric: ComputedMetric, value: number) => void

/** What elements with the same metrics have in common. */
interface ElementPlan {
  readonly steps: readonly Step[]
  /** Names of what the steps compute. */
  readonly outputs: ReadonlySet<string>
  /** Of its metrics, and of what is computed and none of them, behind. */
  readonly places: ReadonlyMap<string, number>
}

interface Step extends ComputedMetric {
  readonly expressions: readonly Expression[]
  /** Places of the members of each expression across metrics. */
  readonly members: ReadonlyMap<string, readonly number[]>
}

/** Expressions across metrics that are kept ready: some kB each. */
const patternsMax = 5_000
/** Problems that are kept until somebody takes them. */
const problemsMax = 100

export function compileComputed(configurations: readonly AnalyticConfiguration[]): {
  /** What is wrong whatever metrics there are. */
  readonly problems: readonly string[]
  readonly plan: ComputedPlan
} {
  const plan = new ComputedPlan(configurations)
  return { problems: plan.drainProblems(), plan }
}

export class ComputedPlan {
  private readonly rules: readonly (readonly ComputedRule[])[]
  private readonly scopes: ScopeResolver
  /** Some kB each; they go with the lists of metrics. */
  private readonly elementPlans = new Map<ScopeSet, WeakMap<readonly string[], ElementPlan>>()
  private readonly patterns = new BoundedCache<string, NamePattern | null>(patternsMax, "all")
  private readonly reported = new Set<string>()
  private unreported: string[] = []

  constructor(configurations: readonly AnalyticConfiguration[]) {
    const relevant = configurations.filter(({ computed }) => computed.length > 0)
    this.scopes = ScopeResolver.of(relevant.map(({ scope }) => scope))
    this.rules = relevant.map(({ computed }, i) => computed.map((entry) => compileRule(entry, i)))
    // Rules without captures depend on each other whatever metrics there are.
    for (const rules of this.rules) this.createElementPlan(rules, [])
  }

  /** True where nothing is computed. */
  get isEmpty(): boolean {
    return this.rules.length === 0
  }

  /** Problems that were found since the last call; each is told once. */
  drainProblems(): readonly string[] {
    const problems = this.unreported
    this.unreported = []
    return problems
  }

  /**
   * Works out every computed metric of the element for which one of its expressions can be
   * evaluated, sources first. The caller leaves out elements that are deleted or inactive: a
   * trailing "0" gives a value to whoever is asked.
   */
  evaluate(element: ComputedSubject, emit: EmitComputed): void {
    const shape = this.elementPlanOf(element)
    if (shape !== null && shape.steps.length > 0) run(shape, element, emit)
  }

  /** True where a metric of the element is computed, whether or not it has a value in a cycle. */
  isComputed(element: ComputedElement, fqn: string): boolean {
    return this.elementPlanOf(element)?.outputs.has(fqn) ?? false
  }

  /** Null where no configuration is for the element. */
  private elementPlanOf({ metricFqns, info, fqn }: ComputedElement): ElementPlan | null {
    const scope = this.scopes.of({
      fqn,
      info,
      metricCount: metricFqns.length,
      metricFqn: (at) => metricFqns[at]!,
    })
    return scope.numbers.size === 0 ? null : this.planInScope(scope, metricFqns)
  }

  private planInScope(scope: ScopeSet, metricFqns: readonly string[]): ElementPlan {
    let ofScope = this.elementPlans.get(scope)
    if (ofScope === undefined) this.elementPlans.set(scope, (ofScope = new WeakMap()))
    const known = ofScope.get(metricFqns)
    if (known !== undefined) return known
    const numbers = [...scope.numbers].sort((left, right) => left - right)
    const shape = this.createElementPlan(
      numbers.flatMap((number) => this.rules[number]!),
      metricFqns,
    )
    ofScope.set(metricFqns, shape)
    return shape
  }

  private createElementPlan(
    rules: readonly ComputedRule[],
    metricFqns: readonly string[],
  ): ElementPlan {
    const { outputs, problems } = deriveOutputs(rules, metricFqns)
    const names = [...new Set([...metricFqns, ...outputs.keys()])]
    const lowers = names.map((name) => name.toLowerCase())
    const members = new Map(
      [...outputs].map(([fqn, output]) => [fqn, this.membersOf(output, names, lowers)]),
    )
    const sourcesOf = (fqn: string): string[] => {
      const across = [...members.get(fqn)!.values()].flat()
      return [...outputs.get(fqn)!.fqns, ...across].filter((source) => outputs.has(source))
    }
    const { order, cycles } = dependencyOrder(outputs.keys(), sourcesOf)
    problems.forEach((problem) => this.report(problem))
    for (const cycle of cycles) this.report(cycleProblem(cycle))
    const places = new Map(names.map((name, place) => [name, place]))
    const placeOf = (fqn: string): number => places.get(fqn)!
    const steps = order.map((fqn): Step => {
      const { name, expressions } = outputs.get(fqn)!
      const across = Array.from(members.get(fqn)!, ([text, found]) => {
        return [text, found.map(placeOf)] as const
      })
      return { fqn, name, place: placeOf(fqn), expressions, members: new Map(across) }
    })
    return { steps, outputs: new Set(outputs.keys()), places }
  }

  /** Members of each expression across metrics; never what the same rule computes. */
  private membersOf(
    { patterns, rule }: ComputedOutput,
    names: readonly string[],
    lowers: readonly string[],
  ): ReadonlyMap<string, readonly string[]> {
    const members = new Map<string, readonly string[]>()
    for (const text of patterns) {
      const pattern = this.patternOf(text)
      if (pattern === null) continue
      const found = names.filter((name, i) => {
        return pattern.fits(name, lowers[i]!) && !rule.ownNames.fits(name, lowers[i]!)
      })
      members.set(text, found)
    }
    return members
  }

  /** Null where captured names make an expression longer than any that is taken. */
  private patternOf(text: string): NamePattern | null {
    let pattern = this.patterns.get(text)
    if (pattern === undefined) {
      pattern = expressionProblem(text) === null ? new NamePattern(text) : null
      this.patterns.set(text, pattern)
    }
    return pattern
  }

  private report(problem: string): void {
    if (this.reported.has(problem) || this.reported.size >= problemsMax) return
    this.reported.add(problem)
    this.unreported.push(problem)
  }
}

/** The same sentence wherever one enters the circle. */
function cycleProblem(cycle: readonly string[]): string {
  const around = cycle.slice(0, -1)
  const first = around.indexOf([...around].sort()[0]!)
  const turned = [...around.slice(first), ...around.slice(0, first), around[first]!]
  return `computed metrics depend on one another and are skipped: ${turned.join(" → ")}`
}

function run(shape: ElementPlan, element: ComputedSubject, emit: EmitComputed): void {
  const surroundings = new ElementInputs(shape, element)
  for (const step of shape.steps) {
    surroundings.members = step.members
    for (const expression of step.expressions) {
      const value = evaluate(expression, surroundings)
      if (value === undefined) continue
      surroundings.computed[step.place] = value
      emit(step, value)
      break
    }
  }
}

class ElementInputs implements ExpressionInputs {
  members: ReadonlyMap<string, readonly number[]> = new Map()
  /** By place; NaN where nothing was computed. */
  readonly computed: Float64Array
  private readonly places: ReadonlyMap<string, number>
  private readonly element: ComputedSubject

  constructor({ places }: ElementPlan, element: ComputedSubject) {
    this.element = element
    this.places = places
    this.computed = new Float64Array(places.size).fill(NaN)
  }

  metric(fqn: string, statistic: CycleStatistic): number | undefined {
    const place = this.places.get(fqn)
    return place === undefined ? undefined : this.valueAt(place, statistic)
  }

  attribute(name: string): string | undefined {
    return this.element.info.attributes.find((one) => one.name === name)?.value
  }

  across(pattern: string): readonly number[] {
    const values: number[] = []
    for (const place of this.members.get(pattern) ?? []) {
      const value = this.valueAt(place, "actual")
      if (value !== undefined) values.push(value)
    }
    return values
  }

  /** A computed metric has one value a cycle: that is its average, its sum and so on. */
  private valueAt(place: number, statistic: CycleStatistic): number | undefined {
    const computed = this.computed[place]!
    if (!Number.isNaN(computed)) return statistic === "cnt" ? 1 : computed
    const { metricFqns } = this.element
    return place < metricFqns.length ? this.element.valueOf(place, statistic) : undefined
  }
}
