import assert from "node:assert/strict"
import { test } from "node:test"
import { defaultDefinition } from "../../src/model/element.ts"
import type { MetricSettings } from "../../src/model/metric-settings.ts"
import { actualKindOf } from "../../src/rollup/actual-kind.ts"
import { actualKinds } from "../../src/rollup/cell.ts"

test("the actual kind follows from the type of the collector and the settings of packages", () => {
  const f = (type: string, settings: MetricSettings, want: (typeof actualKinds)[number]) =>
    assert.equal(actualKinds[actualKindOf({ ...defaultDefinition, type, settings })], want)
  f("GAUGE", {}, "average")
  f("COUNTER", {}, "counter")
  f("Counter", { statistic: "sum" }, "counter")
  f("WRAPPING_COUNTER", {}, "wrapping counter")
  f("wrapping_counter", { counter: true }, "wrapping counter")
  f("WRAPPING_COUNTER", { counter: false, statistic: "last" }, "last")
  f("GAUGE", { counter: true }, "counter")
  f("GAUGE", { counter: true, wraps: true }, "wrapping counter")
  f("COUNTER", { counter: true, wraps: true }, "wrapping counter")
})
