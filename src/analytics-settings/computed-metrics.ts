/**
 * Computed metrics (spec/analytics §6): which ones each element has, the order of their evaluation,
 * and their values in one cycle.
 *
 * Everything that depends on names only (captures, members of `sum(…)`, the order) is derived once
 * for all elements with the same metrics and the same configurations; a cycle computes numbers.
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
  /** The catalogue's object, which is replaced if anything in it changes. */
  readonly info: ElementInfo
  /**
   * All of its metrics in order of appearance, including those computed before; never mutated.
   * Elements with the same metrics should pass the same list, which is the key of the cache.
   */
  readonly metricFqns: readonly string[]
}

/** An element in one cycle. */
export interface ComputedSubject extends ComputedElement {
  /**
   * Value of a collected or filled metric in this cycle, by its index in `metricFqns`; undefined if
   * it has none.
   */
  valueOf(index: number, statistic: CycleStatistic): number | undefined
}

export interface ComputedMetric {
  readonly fqn: string
  /** Display name from the configuration. */
  readonly name: string | null
  /** Index in `metricFqns`, or beyond their end if the element does not have the metric yet. */
  readonly index: number
}

export type EmitComputed = (metric: ComputedMetric, value: number) => void

/** The evaluation that all elements with the same metrics share. */
interface ElementPlan {
  readonly steps: readonly Step[]
  /** FQNs of the metrics that the steps compute. */
  readonly outputs: ReadonlySet<string>
  /** Indexes of the element's metrics, followed by those of further computed metrics. */
  readonly indexByFqn: ReadonlyMap<string, number>
}

interface Step extends ComputedMetric {
  readonly expressions: readonly Expression[]
  /** Indexes of the metrics that each pattern of `sum(…)` and the like selects. */
  readonly members: ReadonlyMap<string, readonly number[]>
}

/** Cached patterns of `sum(…)` and the like: some kB each. */
const patternsMax = 5_000
/** Distinct problems that are reported; further ones are dropped. */
const problemsMax = 100

export function compileComputed(configurations: readonly AnalyticConfiguration[]): {
  /** Problems that do not depend on an element's metrics. */
  readonly problems: readonly string[]
  readonly plan: ComputedPlan
} {
  const plan = new ComputedPlan(configurations)
  return { problems: plan.drainProblems(), plan }
}

export class ComputedPlan {
  private readonly rules: readonly (readonly ComputedRule[])[]
  private readonly scopes: ScopeResolver
  /** Some kB each; an entry lives as long as its list of metrics. */
  private readonly elementPlans = new Map<ScopeSet, WeakMap<readonly string[], ElementPlan>>()
  private readonly patterns = new BoundedCache<string, NamePattern | null>(patternsMax, "all")
  private readonly reported = new Set<string>()
  private unreported: string[] = []

  constructor(configurations: readonly AnalyticConfiguration[]) {
    const relevant = configurations.filter(({ computed }) => computed.length > 0)
    this.scopes = ScopeResolver.of(relevant.map(({ scope }) => scope))
    this.rules = relevant.map(({ computed }, i) => computed.map((entry) => compileRule(entry, i)))
    // Circles among rules without captures do not depend on an element's metrics.
    for (const rules of this.rules) this.createElementPlan(rules, [])
  }

  /** True if there are no computed metrics. */
  get isEmpty(): boolean {
    return this.rules.length === 0
  }

  /** Problems found since the last call; each is reported once. */
  drainProblems(): readonly string[] {
    const problems = this.unreported
    this.unreported = []
    return problems
  }

  /**
   * Emits every computed metric of the element of which an expression can be evaluated, sources
   * first. The caller skips deleted and inactive elements: the common last expression "0" yields a
   * value for any element.
   */
  evaluate(element: ComputedSubject, emit: EmitComputed): void {
    const plan = this.elementPlanOf(element)
    if (plan !== null && plan.steps.length > 0) run(plan, element, emit)
  }

  /** True if a metric of the element is computed, whether or not it has a value in a cycle. */
  isComputed(element: ComputedElement, fqn: string): boolean {
    return this.elementPlanOf(element)?.outputs.has(fqn) ?? false
  }

  /** Null if no configuration is for the element. */
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
    const plan = this.createElementPlan(
      numbers.flatMap((number) => this.rules[number]!),
      metricFqns,
    )
    ofScope.set(metricFqns, plan)
    return plan
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
    const indexByFqn = new Map(names.map((name, index) => [name, index]))
    const indexOf = (fqn: string): number => indexByFqn.get(fqn)!
    const steps = order.map((fqn): Step => {
      const { name, expressions } = outputs.get(fqn)!
      const across = Array.from(members.get(fqn)!, ([text, found]) => {
        return [text, found.map(indexOf)] as const
      })
      return { fqn, name, index: indexOf(fqn), expressions, members: new Map(across) }
    })
    return { steps, outputs: new Set(outputs.keys()), indexByFqn }
  }

  /** Metrics that each pattern selects, without those that the same rule computes. */
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

  /** Null if inserted captures make the pattern longer than the limit. */
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

/** The sentence does not depend on where in the circle the search began. */
function cycleProblem(cycle: readonly string[]): string {
  const around = cycle.slice(0, -1)
  const first = around.indexOf([...around].sort()[0]!)
  const turned = [...around.slice(first), ...around.slice(0, first), around[first]!]
  return `computed metrics depend on one another and are skipped: ${turned.join(" → ")}`
}

function run(plan: ElementPlan, element: ComputedSubject, emit: EmitComputed): void {
  const inputs = new ElementInputs(plan, element)
  for (const step of plan.steps) {
    inputs.members = step.members
    for (const expression of step.expressions) {
      const value = evaluate(expression, inputs)
      if (value === undefined) continue
      inputs.computed[step.index] = value
      emit(step, value)
      break
    }
  }
}

class ElementInputs implements ExpressionInputs {
  members: ReadonlyMap<string, readonly number[]> = new Map()
  /** By index; NaN if nothing was computed. */
  readonly computed: Float64Array
  private readonly indexByFqn: ReadonlyMap<string, number>
  private readonly element: ComputedSubject

  constructor({ indexByFqn }: ElementPlan, element: ComputedSubject) {
    this.element = element
    this.indexByFqn = indexByFqn
    this.computed = new Float64Array(indexByFqn.size).fill(NaN)
  }

  metric(fqn: string, statistic: CycleStatistic): number | undefined {
    const index = this.indexByFqn.get(fqn)
    return index === undefined ? undefined : this.valueAt(index, statistic)
  }

  attribute(name: string): string | undefined {
    return this.element.info.attributes.find((one) => one.name === name)?.value
  }

  across(pattern: string): readonly number[] {
    const values: number[] = []
    for (const index of this.members.get(pattern) ?? []) {
      const value = this.valueAt(index, "actual")
      if (value !== undefined) values.push(value)
    }
    return values
  }

  /** A computed metric has one value a cycle, which is its average, sum, minimum and maximum. */
  private valueAt(index: number, statistic: CycleStatistic): number | undefined {
    const computed = this.computed[index]!
    if (!Number.isNaN(computed)) return statistic === "cnt" ? 1 : computed
    const { metricFqns } = this.element
    return index < metricFqns.length ? this.element.valueOf(index, statistic) : undefined
  }
}
