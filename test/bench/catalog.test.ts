import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { test } from "node:test"
import { bundleOf } from "../support/project-paths.ts"

test("the bench of the catalogue runs, and names its machine and every figure", () => {
  const program = ["--expose-gc", bundleOf("bench/catalog.ts")]
  const flags = [...program, "--size", "small", "--runs", "1"]
  const report = execFileSync(process.execPath, flags, { encoding: "utf8" })
  assert.match(report, /^Machine: .* cores/)
  assert.match(report, /10000 metrics, 200 elements/)
  for (const what of ["EXACT fqn", "by substring", "fqns of one element", "metricAgg", "memory"]) {
    assert.match(report, new RegExp(what))
  }
})
