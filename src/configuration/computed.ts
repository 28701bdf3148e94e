/**
 * Computed metrics (field-facts §7): which ones each element has, in which order they are worked
 * out, and their values in one cycle.
 *
 * What depends on names only (captures, members of `sum(…)`, the order) is worked out once for all
 * elements that have the same metrics under the same configurations; a cycle works out numbers.
 */

import { compilePattern, patternProblem } from "../base/pattern.ts"
import type { CycleStatistic, Expression } from "../formula/expression.ts"
import { evaluate, type Surroundings } from "../formula/evaluate.ts"
import type { ElementInfo } from "../model/element.ts"
import type { AnalyticConfiguration } from "./configuration.ts"
import { dependencyOrder } from "./order.ts"
import { outputsOf, ruleOf, type Output, type Rule } from "./outputs.ts"
import { Scopes, type ScopeSet } from "./scope.ts"

/** An element in one cycle. */
export interface ComputedSubject {
  readonly fqn: string
  /** The catalogue's: the same object as long as nothing of it has changed. */
  readonly info: ElementInfo
  /** All of its metrics in order of appearance, those computed before too. */
  readonly metricFqns: readonly string[]
  /** Of a collected or sparsely filled metric in this cycle; undefined where it has none. */
  valueOf(fqn: string, statistic: CycleStatistic): number | undefined
}

/** `name` is the display name that the configuration gives, or null. */
export type TakeComputed = (fqn: string, name: string | null, value: number) => void

/** What elements with the same metrics have in common. */
interface Shape {
  readonly steps: readonly Step[]
}

interface Step {
  readonly fqn: string
  readonly name: string | null
  readonly expressions: readonly Expression[]
  /** Members of each expression across metrics. */
  readonly members: ReadonlyMap<string, readonly string[]>
}

/** Shapes that are kept: some kB each. */
const shapesMax = 5_000
/** Problems that are kept until somebody takes them. */
const problemsMax = 100

export function compileComputed(configurations: readonly AnalyticConfiguration[]): {
  /** What is wrong whatever metrics there are. */
  readonly problems: readonly string[]
  readonly plan: ComputedPlan
} {
  const plan = new ComputedPlan(configurations)
  return { problems: plan.takeProblems(), plan }
}

export class ComputedPlan {
  private readonly rules: readonly (readonly Rule[])[]
  private readonly scopes: Scopes
  private readonly shapes = new Map<ScopeSet, Map<string, Shape>>()
  private shapeCount = 0
  private readonly told = new Set<string>()
  private untold: string[] = []

  constructor(configurations: readonly AnalyticConfiguration[]) {
    const relevant = configurations.filter(({ computed }) => computed.length > 0)
    this.scopes = new Scopes(relevant.map(({ scope }) => scope))
    this.rules = relevant.map(({ computed }, i) => computed.map((entry) => ruleOf(entry, i)))
    // Rules without captures depend on each other whatever metrics there are.
    for (const rules of this.rules) this.makeShape(rules, [])
  }

  /** True where nothing is computed. */
  get isEmpty(): boolean {
    return this.rules.length === 0
  }

  /** Problems that were found since the last call; each is told once. */
  takeProblems(): readonly string[] {
    const problems = this.untold
    this.untold = []
    return problems
  }

  /**
   * Works out every computed metric of the element for which one of its expressions can be
   * evaluated, sources first. The caller leaves out elements that are deleted or inactive: a
   * trailing "0" gives a value to whoever is asked.
   */
  evaluate(element: ComputedSubject, emit: TakeComputed): void {
    const { metricFqns, info, fqn } = element
    const scope = this.scopes.of({
      fqn,
      info,
      metricCount: metricFqns.length,
      metricFqn: (at) => metricFqns[at]!,
    })
    if (scope.numbers.size === 0) return
    const { steps } = this.shapeOf(scope, metricFqns)
    if (steps.length > 0) run(steps, element, emit)
  }

  private shapeOf(scope: ScopeSet, metricFqns: readonly string[]): Shape {
    const key = metricFqns.join("\n")
    const known = this.shapes.get(scope)?.get(key)
    if (known !== undefined) return known
    if (++this.shapeCount > shapesMax) {
      this.shapes.clear()
      this.shapeCount = 1
    }
    const numbers = [...scope.numbers].sort((left, right) => left - right)
    const shape = this.makeShape(
      numbers.flatMap((number) => this.rules[number]!),
      metricFqns,
    )
    let ofScope = this.shapes.get(scope)
    if (ofScope === undefined) this.shapes.set(scope, (ofScope = new Map()))
    ofScope.set(key, shape)
    return shape
  }

  private makeShape(rules: readonly Rule[], metricFqns: readonly string[]): Shape {
    const { outputs, problems } = outputsOf(rules, metricFqns)
    const names = [...new Set([...metricFqns, ...outputs.keys()])]
    const members = new Map([...outputs].map(([fqn, output]) => [fqn, membersOf(output, names)]))
    const sourcesOf = (fqn: string): string[] => {
      const across = [...members.get(fqn)!.values()].flat()
      return [...outputs.get(fqn)!.fqns, ...across].filter((source) => outputs.has(source))
    }
    const { order, cycles } = dependencyOrder(outputs.keys(), sourcesOf)
    problems.forEach((problem) => this.tell(problem))
    for (const cycle of cycles) this.tell(cycleProblem(cycle))
    const steps = order.map((fqn) => {
      const { name, expressions } = outputs.get(fqn)!
      return { fqn, name, expressions, members: members.get(fqn)! }
    })
    return { steps }
  }

  private tell(problem: string): void {
    if (this.told.has(problem) || this.told.size >= problemsMax) return
    this.told.add(problem)
    this.untold.push(problem)
  }
}

/** The same sentence wherever one enters the circle. */
function cycleProblem(cycle: readonly string[]): string {
  const around = cycle.slice(0, -1)
  const first = around.indexOf([...around].sort()[0]!)
  const turned = [...around.slice(first), ...around.slice(0, first), around[first]!]
  return `computed metrics depend on one another and are skipped: ${turned.join(" → ")}`
}

/** Members of each expression across metrics; never what the same rule computes. */
function membersOf(
  { patterns, rule }: Output,
  names: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, readonly string[]>()
  for (const text of patterns) {
    // With long captured names in it an expression may be longer than any that is taken.
    if (patternProblem(text) !== null) continue
    const pattern = compilePattern(text, { caseless: true, whole: true })
    const found = names.filter((name) => pattern.test(name) && !rule.ownNames.test(name))
    members.set(text, found)
  }
  return members
}

function run(steps: readonly Step[], element: ComputedSubject, emit: TakeComputed): void {
  const surroundings = new CycleSurroundings(element)
  for (const step of steps) {
    surroundings.members = step.members
    for (const expression of step.expressions) {
      const value = evaluate(expression, surroundings)
      if (value === undefined) continue
      surroundings.computed.set(step.fqn, value)
      emit(step.fqn, step.name, value)
      break
    }
  }
}

class CycleSurroundings implements Surroundings {
  members: ReadonlyMap<string, readonly string[]> = new Map()
  readonly computed = new Map<string, number>()
  private readonly element: ComputedSubject

  constructor(element: ComputedSubject) {
    this.element = element
  }

  /** A computed metric has one value a cycle: that is its average, its sum and so on. */
  metric(fqn: string, statistic: CycleStatistic): number | undefined {
    const computed = this.computed.get(fqn)
    if (computed === undefined) return this.element.valueOf(fqn, statistic)
    return statistic === "cnt" ? 1 : computed
  }

  attribute(name: string): string | undefined {
    return this.element.info.attributes.find((one) => one.name === name)?.value
  }

  across(pattern: string): readonly number[] {
    const values: number[] = []
    for (const fqn of this.members.get(pattern) ?? []) {
      const value = this.metric(fqn, "actual")
      if (value !== undefined) values.push(value)
    }
    return values
  }
}
