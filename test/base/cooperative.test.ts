import assert from "node:assert/strict"
import { test } from "node:test"
import { runSync, runYielding, type Cooperative } from "../../src/base/cooperative.ts"

function* counting(to: number, log: string[]): Cooperative<number> {
  for (let i = 1; i <= to; i++) {
    log.push(String(i))
    yield
  }
  return to
}

test("runSync() runs all steps and returns their result", () => {
  const log: string[] = []
  assert.equal(runSync(counting(3, log)), 3)
  assert.deepEqual(log, ["1", "2", "3"])
})

test("runYielding() pauses after each slice, and only then", async () => {
  const log: string[] = []
  let nowMs = 0
  const pauses = {
    elapsedMs: () => nowMs++,
    sliceMs: 2,
    pause: async () => void log.push("pause"),
  }
  assert.equal(await runYielding(counting(5, log), pauses), 5)
  assert.deepEqual(log, ["1", "2", "pause", "3", "4", "pause", "5"])
})

test("runYielding() rejects with the error of a step", async () => {
  const failing = function* (): Cooperative<void> {
    yield
    throw new Error("broken")
  }
  const pauses = { elapsedMs: () => 0, sliceMs: 1, pause: async () => {} }
  await assert.rejects(runYielding(failing(), pauses), /broken/)
})
