/**
 * Derives the computed metrics of an element from the names of its metrics: one for each rule
 * without `capture`, and one for each name that a rule's `capture` matches. Names that other rules
 * compute are matched, too; a rule never captures a name that it may have computed itself.
 */

import { computedPerElementMax, fqnCharactersMax } from "../base/limits.ts"
import type { CapturePattern } from "../base/text/pattern.ts"
import { bindGroups, referencesOf } from "../formula/bind.ts"
import type { Expression } from "../formula/expression.ts"
import { fillGroups } from "../formula/capture-groups.ts"
import type { ComputedEntry } from "./configuration.ts"
import { requiredLiterals, type RequiredLiterals } from "./literal-prefilter.ts"
import { compileExpressionCapture } from "./lookahead.ts"
import { NamePattern } from "./name-pattern.ts"

export interface ComputedRule {
  readonly entry: ComputedEntry
  /** Number of its configuration. */
  readonly configuration: number
  readonly capture: CapturePattern | null
  /** Matches the names that the rule itself computes. */
  readonly ownNames: NamePattern
  /** Literals that a captured name contains: a prefilter, cheaper than capturing. */
  readonly literals: RequiredLiterals
}

/** One computed metric of one kind of element. */
export interface ComputedOutput {
  readonly fqn: string
  readonly name: string | null
  readonly rule: ComputedRule
  readonly expressions: readonly Expression[]
  readonly fqns: ReadonlySet<string>
  readonly patterns: ReadonlySet<string>
}

export function compileRule(entry: ComputedEntry, configuration: number): ComputedRule {
  const { fqn, capture } = entry
  const pieces = fqn.split(/\$\{\d{1,2}\}/)
  const own = pieces.map((piece) => piece.replace(/[.-]/g, "\\$&")).join(".*")
  return {
    entry,
    configuration,
    capture: capture === null ? null : compileExpressionCapture(capture),
    ownNames: new NamePattern(own),
    literals: capture === null ? [] : requiredLiterals(capture),
  }
}

export interface ComputedOutputs {
  readonly outputs: ReadonlyMap<string, ComputedOutput>
  /** Sentences about omitted metrics. */
  readonly problems: readonly string[]
}

/** The computed metrics by name. If two rules compute the same name, the earlier rule does. */
export function deriveOutputs(
  rules: readonly ComputedRule[],
  metricFqns: readonly string[],
): ComputedOutputs {
  const outputs = new Map<string, ComputedOutput>()
  const problems: string[] = []
  const names = [...metricFqns]
  const known = new Set(names)
  const add = (rule: ComputedRule, groups: readonly string[]): void => {
    const output = createOutput(rule, groups)
    if (output === null || outputs.has(output.fqn)) return
    if (outputs.size >= computedPerElementMax) {
      const most = `expected at most ${computedPerElementMax} computed metrics of one element`
      problems.push(`${rule.entry.fqn}: ${most}, left out the others`)
      return
    }
    outputs.set(output.fqn, output)
    if (!known.has(output.fqn)) names.push(output.fqn)
    known.add(output.fqn)
  }
  for (const rule of rules) if (rule.capture === null) add(rule, [])
  const capturing = rules.filter(({ capture }) => capture !== null)
  for (let at = 0; at < names.length; at++) {
    const lower = names[at]!.toLowerCase()
    for (const rule of capturing) {
      if (!rule.literals.every((set) => set.some((one) => lower.includes(one)))) continue
      const groups = rule.capture!.find(names[at]!)
      if (groups !== null && !rule.ownNames.fits(names[at]!, lower)) add(rule, groups)
    }
  }
  return { outputs, problems: [...new Set(problems)] }
}

function createOutput(rule: ComputedRule, groups: readonly string[]): ComputedOutput | null {
  const { entry } = rule
  const fqn = fillGroups(entry.fqn, groups)
  if (fqn.length > fqnCharactersMax) return null
  const expressions = entry.expressions.map((one) => bindGroups(one, groups))
  const references = expressions.map(referencesOf)
  return {
    fqn,
    name: entry.name === null ? null : fillGroups(entry.name, groups),
    rule,
    expressions,
    fqns: new Set(references.flatMap(({ fqns }) => [...fqns])),
    patterns: new Set(references.flatMap(({ patterns }) => [...patterns])),
  }
}
