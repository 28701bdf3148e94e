import assert from "node:assert/strict"
import { test } from "node:test"
import {
  compileComputed,
  type ComputedPlan,
} from "../../src/analytics-settings/computed-metrics.ts"
import { readConfiguration } from "../../src/analytics-settings/parse-configuration.ts"
import type { ElementInfo } from "../../src/model/element.ts"

interface Entry {
  readonly fqn: string
  readonly expressions: readonly string[]
  readonly capture?: string
}

function planOf(entries: readonly Entry[], scope: object = {}) {
  const metrics = entries.map((properties) => ({ match: properties.fqn, properties }))
  const json = { analyticConfiguration: { type: "COMPUTED_METRIC", name: "x", scope, metrics } }
  const { configuration, problems } = readConfiguration(json)
  assert.deepEqual(problems, [])
  return compileComputed([configuration!])
}

const server: ElementInfo = {
  name: "web",
  type: "SERVER",
  location: null,
  tags: [],
  attributes: [{ name: "cpus", value: "4" }],
  relations: [],
  createdMs: 0,
}

function valuesOf(plan: ComputedPlan, values: Readonly<Record<string, number>>, info = server) {
  const found: Record<string, number> = {}
  const metricFqns = Object.keys(values)
  const element = {
    fqn: "web",
    info,
    metricFqns,
    valueOf: (place: number) => values[metricFqns[place]!],
  }
  plan.evaluate(element, ({ fqn }, value) => (found[fqn] = value))
  return found
}

test("Computed: one output a match, sources first, as in the public Linux package", () => {
  const { plan, problems } = planOf(
    [
      {
        fqn: "n.${1}.errorspercent",
        capture: "^n[.](.*)[.]errors",
        expressions: ["100 * ${n.${1}.errors}.actual / ${n.${1}.packets}.actual", "0"],
      },
      {
        fqn: "n.${1}.errors",
        capture: "network.(.*).rx_errors",
        expressions: ["${network.${1}.rx_errors}.actual + ${network.${1}.tx_errors}.actual"],
      },
      {
        fqn: "n.${1}.packets",
        capture: "network.(.*).rx_packets",
        expressions: ["${network.${1}.rx_packets}.actual"],
      },
      { fqn: "n.total", expressions: ["sum(n[.].*[.]errors)"] },
      { fqn: "n.max", expressions: ["max(n[.].*)"] },
    ],
    { metricMatches: "^network" },
  )
  assert.deepEqual(problems, [])
  const values = {
    "network.eth0.rx_errors": 1,
    "network.eth0.tx_errors": 2,
    "network.eth0.rx_packets": 300,
    "network.lo.rx_errors": 4,
    "network.lo.tx_errors": 0,
  }
  const wanted = {
    "n.eth0.errors": 3,
    "n.lo.errors": 4,
    "n.eth0.packets": 300,
    "n.eth0.errorspercent": 1,
    "n.lo.errorspercent": 0,
    "n.total": 7,
    "n.max": 300,
  }
  assert.deepEqual(valuesOf(plan, values), wanted)
  // The next cycle knows the names that this one brought.
  const later = Object.fromEntries(Object.keys(wanted).map((fqn) => [fqn, undefined]))
  assert.deepEqual(valuesOf(plan, { ...values, ...(later as unknown as object) }), wanted)
  assert.deepEqual(valuesOf(plan, { "cpu.idle": 1 }), {})
})

test("Computed: a circle is reported once and skipped with all that depends on it", () => {
  const { plan, problems } = planOf([
    { fqn: "b", expressions: ["${a}.actual"] },
    { fqn: "a", expressions: ["${b}.actual", "1"] },
    { fqn: "c", expressions: ["${a}.actual", "2"] },
    { fqn: "d", expressions: ["attribute(cpus)"] },
  ])
  assert.equal(problems.length, 1)
  assert.match(problems[0]!, /skipped: a → b → a$/)
  assert.deepEqual(valuesOf(plan, { x: 1 }), { d: 4 })
  assert.deepEqual(plan.drainProblems(), [])
})

test("Computed: scopes leave out other types, and captures that feed each other end", () => {
  const scoped = planOf([{ fqn: "a", expressions: ["1"] }], { elementTypes: ["ALB"] })
  assert.deepEqual(valuesOf(scoped.plan, { x: 1 }), {})
  assert.deepEqual(valuesOf(scoped.plan, { x: 1 }, { ...server, type: "alb" }), { a: 1 })
  const endless = planOf([
    { fqn: "a.${1}", capture: "(.*)", expressions: ["1"] },
    { fqn: "b.${1}", capture: "(.*)", expressions: ["2"] },
  ])
  const found = valuesOf(endless.plan, { x: 1 })
  assert.ok(Object.keys(found).length <= 1000)
})
