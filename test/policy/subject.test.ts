/** Tags and unit of a metric, as policies read them. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { MetricDefinition } from "../../src/model/element.ts"
import { policyTagsOf, policyUnitOf } from "../../src/policy/subject.ts"

const posted: MetricDefinition = {
  name: null,
  unit: "ms",
  type: "GAUGE",
  sparseDataStrategy: "None",
  tags: [{ name: "unit", value: "posted" }],
}
const plain = { ...posted, tags: [] }
const settings = { tags: { unit: "percent", utilization: "" } }

test("the unit of a user wins, then that of a package, a posted tag, and what was sent", () => {
  const serviceTags = [{ name: "unit", value: "s" }]
  const units = [{ ...posted, settings, serviceTags }, { ...posted, settings }, posted, plain]
  assert.deepEqual(units.map(policyUnitOf), ["s", "percent", "posted", "ms"])
  assert.equal(policyUnitOf({ ...plain, serviceTags: [{ name: "unit", value: "" }] }), "ms")
})

test("a tag that wins hides the posted one of its name", () => {
  assert.deepEqual(policyTagsOf({ ...posted, settings }), [
    { name: "unit", value: "percent" },
    { name: "utilization", value: "" },
  ])
})
