import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { operators, type Operator, type PolicyCondition } from "../../src/model/records/policy.ts"
import type { ComparedValue } from "../../src/model/records/compared-value.ts"
import { conditionOf, cycleOf, matcherOf, type MetricRow } from "./cycles.ts"

function holds(condition: Partial<PolicyCondition>, ...rows: MetricRow[]): boolean {
  return matcherOf({ conditions: [conditionOf(condition)] }).matches(cycleOf(...rows))
}

const cpu = (value: number, more: Partial<MetricRow> = {}): MetricRow => {
  return { fqn: "cpu.total", values: [value], ...more }
}

test("the example of the record: its results, sentence for sentence", () => {
  const matcher = matcherOf({ conditions: [conditionOf({ level: 90 })] })
  assert.deepEqual(matcher.results(cycleOf(cpu(97, { unit: "percent" }))), {
    violating: true,
    conditions: [
      {
        id: "0",
        violating: true,
        expression:
          "The current value of cpu.total is 97; this is above the static threshold of 90.",
        compared: [
          {
            metricFqn: "cpu.total",
            unit: "percent",
            analytic: "actual",
            operator: ">",
            value: 97,
            changePercent: null,
            threshold: 90,
            thresholdUnit: "percent",
            lower: null,
            upper: null,
          },
        ],
      },
    ],
    metrics: ["cpu.total"],
  })
})

function compared(condition: Partial<PolicyCondition>, ...rows: MetricRow[]) {
  const matcher = matcherOf({ conditions: [conditionOf(condition)] })
  return matcher.results(cycleOf(...rows)).conditions[0]!.compared!
}

test("the numbers of each analytic are those that it compares; what is missing is null", () => {
  const numbers = (one: ComparedValue) => {
    const { unit, value, changePercent, threshold, thresholdUnit, lower, upper } = one
    return { unit, value, changePercent, threshold, thresholdUnit, lower, upper }
  }
  const none = { changePercent: null, threshold: null, thresholdUnit: null }
  const noBand = { lower: null, upper: null }
  const row = cpu(50, { unit: "ms", baseline: { mean: 10, stddev: 2 }, suddenPercent: 30.5 })
  assert.deepEqual(compared({ analytic: "baselineDeviation" }, row).map(numbers), [
    { ...none, unit: "ms", value: 50, lower: 2, upper: 18 },
  ])
  assert.deepEqual(compared({ analytic: "contextualDeviation" }, row).map(numbers), [
    { ...none, ...noBand, unit: "ms", value: 50 },
  ])
  const sudden = { changePercent: 30.5, threshold: 20, thresholdUnit: "percent" }
  assert.deepEqual(compared({ analytic: "suddenDeviation", level: 20 }, row).map(numbers), [
    { ...sudden, ...noBand, unit: "ms", value: 50 },
  ])
  const limit = { fqn: "limit", values: [40], unit: "s" }
  const byMetric = { level: -99, metricThresholdLevel: "limit" }
  assert.deepEqual(compared(byMetric, row, limit).map(numbers), [
    { ...none, ...noBand, unit: "ms", value: 50, threshold: 40, thresholdUnit: "s" },
  ])
  assert.equal(compared(byMetric, row)[0]!.threshold, null)
  assert.equal(compared({ level: 90 }, cpu(NaN))[0]!.value, null)
  assert.deepEqual(compared({ metric: "other", level: 90 }, row), [])
})

test("a wildcard lists the numbers of its violating metrics only, of ten at most", () => {
  const rows = Array.from({ length: 24 }, (_, i) => ({ fqn: `disk.${i}.used`, values: [i] }))
  const fqns = (level: number) =>
    compared({ wildcard: "disk", level }, ...rows).map(({ metricFqn }) => metricFqn)
  assert.deepEqual(fqns(21), ["disk.22.used", "disk.23.used"])
  assert.equal(fqns(1).length, 10)
})

const small = fc.integer({ min: -3, max: 3 })
const value = fc.oneof({ weight: 5, arbitrary: small }, { weight: 1, arbitrary: fc.constant(NaN) })

const naive: Record<string, (value: number, level: number) => boolean> = {
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  "==": (a, b) => a === b,
  // A missing value does not match `!=` either.
  "!=": (a, b) => !Number.isNaN(a - b) && a - b !== 0,
}

test("every operator compares actual values and sudden changes as numbers compare", () => {
  for (const analytic of ["actual", "suddenDeviation"] as const) {
    const given = fc.constantFrom<Operator>(...operators[analytic])
    fc.assert(
      fc.property(given, value, small, (operator, found, level) => {
        const row = analytic === "actual" ? cpu(found) : cpu(1, { suddenPercent: found })
        const got = holds({ analytic, operator, level }, row)
        assert.equal(got, naive[operator]!(found, level))
      }),
    )
  }
})

test("a threshold of another metric is as good as the level that it has", () => {
  const given = fc.constantFrom<Operator>(...operators.actual)
  fc.assert(
    fc.property(given, value, value, (operator, found, other) => {
      const limit = { fqn: "limit", values: [other], baseline: { mean: other, stddev: 1 } }
      const condition = { operator, level: -99, metricThresholdLevel: "limit" }
      const want = naive[operator]!(found, other)
      assert.equal(holds(condition, cpu(found), limit), want)
      const metricThresholdAnalytic = "baselineDeviation" as const
      assert.equal(holds({ ...condition, metricThresholdAnalytic }, cpu(found), limit), want)
      assert.equal(holds(condition, cpu(found)), false)
    }),
  )
})

test("a deviation is four sigmas or more; defined and undefined part what has a band", () => {
  for (const analytic of ["baselineDeviation", "contextualDeviation"] as const) {
    const name = analytic === "baselineDeviation" ? "baseline" : "contextual"
    const says = (operator: Operator, found: number, stddev: number) =>
      holds({ analytic, operator }, cpu(found, { [name]: { mean: 10, stddev } }))
    assert.equal(says(">", 18, 2), true)
    assert.equal(says(">", 17.999, 2), false)
    assert.equal(says("<", 2, 2), true)
    assert.equal(says("<", 18, 2), false)
    // A series that never moved deviates by moving, not by staying.
    assert.equal(says(">", 10, 0), false)
    assert.equal(says(">", 10.001, 0), true)
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 3 }), (found, stddev) => {
        const [up, down] = [says(">", found + 10, stddev), says("<", found + 10, stddev)]
        const [is, isNot] = [
          says("defined", found + 10, stddev),
          says("undefined", found + 10, stddev),
        ]
        assert.equal(is, up || down)
        assert.equal(isNot, !Number.isNaN(found) && !is)
      }),
    )
    assert.equal(holds({ analytic, operator: "undefined" }, cpu(5)), false)
  }
})

test("a wildcard is found anywhere, in either case; any of its metrics is enough", () => {
  const rows = [
    { fqn: "disk.sda.used", values: [95] },
    { fqn: "Disk.sdb.used", values: [99] },
    { fqn: "cpu", values: [100] },
  ]
  const conditions = [conditionOf({ wildcard: "disk\\..*used", level: 97 })]
  const matcher = matcherOf({ conditions })
  assert.equal(matcher.matches(cycleOf(...rows)), true)
  assert.deepEqual(matcher.results(cycleOf(...rows)).metrics, ["Disk.sdb.used"])
  assert.equal(matcher.matches(cycleOf(rows[0]!, rows[2]!)), false)
})

test("metric scope tags are all to be there, in either case", () => {
  const tagged = (value: string) => cpu(9, { tags: [{ name: "Unit", value }] })
  const condition = { level: 1, metricScopeTags: { unit: "S" } }
  assert.equal(holds(condition, tagged("s")), true)
  assert.equal(holds(condition, tagged("ms")), false)
  assert.equal(holds({ ...condition, metricScopeTags: { unit: "s", a: "b" } }, tagged("s")), false)
})

test("all conditions, or any; a policy without conditions finds nothing", () => {
  const conditions = [conditionOf({ level: 1 }), conditionOf({ metric: "mem", level: 1 })]
  const rows = [cpu(2), { fqn: "mem", values: [0] }]
  assert.equal(matcherOf({ conditions }).matches(cycleOf(...rows)), false)
  assert.equal(matcherOf({ conditions, anyCondition: true }).matches(cycleOf(...rows)), true)
  assert.equal(matcherOf({}).matches(cycleOf(...rows)), false)
})

test("a duration asks for that many consecutive cycles, gaps included", () => {
  const values = fc.array(value, { minLength: 0, maxLength: 12 })
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 4 }), (given, cycles) => {
      const matcher = matcherOf({
        duration: cycles * 300,
        conditions: [conditionOf({ level: 0 })],
      })
      const last = given.slice(-cycles)
      const want = last.length === cycles && last.every((one) => one > 0)
      assert.equal(matcher.violates(cycleOf({ fqn: "cpu.total", values: given })), want)
    }),
  )
})
