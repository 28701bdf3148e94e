/**
 * Policies: 1,000 of them over 20,000 elements. How long it takes to make them ready, to find who
 * watches what, and to judge one cycle of all elements.
 *
 *   npm run bench:policies
 */

import {
  defaultPolicy,
  matchAllScope,
  type PolicyCondition,
  type PolicyScope,
} from "../src/model/records/policy.ts"
import type { ElementCycle } from "../src/policy/element-cycle.ts"
import type { KnownPolicy } from "../src/policy/policy-matcher.ts"
import { PolicySet } from "../src/policy/policy-set.ts"
import type { ScopeSubject } from "../src/policy/scope.ts"

const policyCount = 1_000
const elementCount = 20_000
const metricCount = 25

const metricFqns = Array.from({ length: metricCount }, (_, i) => `app.group${i % 5}.metric${i}`)
const places = new Map(metricFqns.map((fqn, place) => [fqn, place]))

const condition = (at: number): PolicyCondition => ({
  metric: at % 10 === 0 ? null : metricFqns[at % metricCount]!,
  wildcard: at % 10 === 0 ? `group${at % 5}\\..*` : null,
  metricScopeTags: {},
  analytic: at % 3 === 0 ? "baselineDeviation" : "actual",
  operator: ">",
  level: 99,
  level2: null,
  metricThresholdLevel: null,
  metricThresholdAnalytic: null,
})

/** As in the public packages: most by type, then by tags, some by name or FQN, a few for all. */
function scopeOf(at: number): PolicyScope {
  const kind = at % 20
  if (kind === 0) return { ...matchAllScope, elementName: `host-${at}` }
  if (kind === 1) return { ...matchAllScope, fqnIncludes: [`host-${at}`] }
  if (kind === 2) return { ...matchAllScope, elementNameRegex: true, elementName: `^host-${at}` }
  const team = { name: "^team$", value: `^team${at % 200}$` }
  if (kind < 9) return { ...matchAllScope, elementTags: [team] }
  return { ...matchAllScope, elementType: `TYPE${at % 50}` }
}

const policies = Array.from({ length: policyCount }, (_, at): KnownPolicy => ({
  ...defaultPolicy,
  id: String(at),
  name: `policy ${at}`,
  scope: at % 250 === 13 ? matchAllScope : scopeOf(at),
  duration: 300 * (1 + (at % 3)),
  anyCondition: at % 2 === 0,
  conditions: [condition(at), condition(at + 1)],
}))

const subjectOf = (at: number): ScopeSubject => ({
  fqn: `host-${at}`,
  name: `host-${at}`,
  type: `TYPE${at % 50}`,
  tags: [
    { name: "team", value: `team${at % 200}` },
    { name: "Name", value: `host-${at}` },
  ],
  attributes: [],
})

/** One value in fifty is above every threshold. */
function cycleOf(element: number): ElementCycle {
  const band = { mean: 50, stddev: 5 }
  return {
    metricFqns,
    indexOf: (fqn) => places.get(fqn) ?? -1,
    tagsOf: () => [],
    unitOf: () => "percent",
    actual: (place) => ((element * 31 + place * 17) % 50 === 0 ? 100 : 50),
    baseline: () => band,
    contextual: () => null,
    sudden: () => null,
  }
}

const infos = Array.from({ length: elementCount }, () => ({}))

function measured<Result>(name: string, work: () => Result): Result {
  const startMs = performance.now()
  const result = work()
  console.log(`${name.padEnd(44)} ${(performance.now() - startMs).toFixed(0).padStart(6)} ms`)
  return result
}

const set = measured("make 1,000 policies ready", () => new PolicySet(policies))
const watch = (element: number) => set.policiesOf(infos[element]!, () => subjectOf(element))

function eachElement(work: (element: number) => number): number {
  let sum = 0
  for (let element = 0; element < elementCount; element++) sum += work(element)
  return sum
}

const pairs = measured("who watches each of 20,000 elements", () =>
  eachElement((element) => watch(element).length),
)
console.log(`  ${pairs} pairs of ${policyCount * elementCount}`)
measured("the same again", () => eachElement((element) => watch(element).length))

for (const name of ["judge a cycle", "judge a cycle, warm"]) {
  const violations = measured(name, () =>
    eachElement((element) => {
      const { fqn, name: shown, type, tags } = subjectOf(element)
      const found = () => ({ id: fqn, fqn, name: shown, type, location: null, tags })
      return set.violations(watch(element), cycleOf(element), found).length
    }),
  )
  console.log(`  ${violations} violations`)
}
