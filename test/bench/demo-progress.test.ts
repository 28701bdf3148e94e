import assert from "node:assert/strict"
import { test } from "node:test"
import { DemoProgress } from "../../bench/demo/demo-progress.ts"

test("in a pipe, progress is a line at each tenth", () => {
  const progress = new DemoProgress({ total: 2000, unit: "samples", isTerminal: false })
  assert.equal(progress.at(0), "")
  assert.equal(progress.at(199), "")
  assert.equal(progress.at(200), "  10 %  200 of 2,000 samples\n")
  assert.equal(progress.at(399), "")
  assert.equal(progress.at(1000), "  50 %  1,000 of 2,000 samples\n")
  assert.equal(progress.at(2000), "  100 %  2,000 of 2,000 samples\n")
})

test("on a terminal, progress is a bar that redraws itself and ends its line when full", () => {
  const progress = new DemoProgress({ total: 100, unit: "samples", isTerminal: true })
  assert.equal(progress.at(50), `\r  ${"█".repeat(20)}${"░".repeat(20)}  50 %  50 of 100 samples`)
  assert.equal(progress.at(100), `\r  ${"█".repeat(40)}  100 %  100 of 100 samples\n`)
})

test("the rest is estimated by the pace so far, in a text that covers the former one", () => {
  let nowMs = 5_000
  const elapsedMs = () => nowMs
  const progress = new DemoProgress({ total: 100, unit: "cycles", isTerminal: true, elapsedMs })
  const restAt = (ms: number, done: number) => {
    nowMs = ms
    return progress.at(done).split("cycles")[1]!
  }
  assert.equal(restAt(5_000, 0), "")
  assert.equal(restAt(65_000, 10).trimEnd(), ", about 9 min left")
  assert.equal(restAt(95_000, 90).trimEnd(), ", about 10 s left")
  assert.equal(restAt(95_000, 90).length, restAt(65_000, 10).length)
  assert.equal(restAt(99_000, 100).trim(), "")
})
