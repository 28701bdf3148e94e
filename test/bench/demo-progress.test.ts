import assert from "node:assert/strict"
import { test } from "node:test"
import { DemoProgress } from "../../bench/demo/demo-progress.ts"

test("in a pipe, progress is a line at each tenth", () => {
  const progress = new DemoProgress(2000, false)
  assert.equal(progress.at(0), "")
  assert.equal(progress.at(199), "")
  assert.equal(progress.at(200), "  10 %  200 of 2,000 samples\n")
  assert.equal(progress.at(399), "")
  assert.equal(progress.at(1000), "  50 %  1,000 of 2,000 samples\n")
  assert.equal(progress.at(2000), "  100 %  2,000 of 2,000 samples\n")
})

test("on a terminal, progress is a bar that redraws itself and ends its line when full", () => {
  const progress = new DemoProgress(100, true)
  assert.equal(progress.at(50), `\r  ${"█".repeat(20)}${"░".repeat(20)}  50 %  50 of 100 samples`)
  assert.equal(progress.at(100), `\r  ${"█".repeat(40)}  100 %  100 of 100 samples\n`)
})
