import assert from "node:assert/strict"
import { test } from "node:test"
import { DutyCycleThrottle } from "../../src/engine/duty-cycle-throttle.ts"

/** A throttle on a clock that the calls advance; records what it does, in order. */
function trial() {
  const told: string[] = []
  let nowMs = 0
  const pace = new DutyCycleThrottle(
    () => nowMs,
    async (ms) => {
      told.push(`rest ${ms}`)
    },
  )
  const work = (name: string, ms: number) => async () => {
    told.push(name)
    await Promise.resolve()
    nowMs += ms
    told.push(`end of ${name}`)
    return name
  }
  return { pace, told, work }
}

test("calls run one at a time, and the next one waits as long as the last one took", async () => {
  const { pace, told, work } = trial()
  const answers = await Promise.all([pace.run(work("a", 5)), pace.run(work("b", 0))])
  assert.deepEqual(answers, ["a", "b"])
  assert.deepEqual(told.slice(0, 5), ["a", "end of a", "rest 5", "b", "end of b"])
})

test("the pause after a long call is at most 50 ms", async () => {
  const { pace, told, work } = trial()
  await Promise.all([pace.run(work("a", 900)), pace.run(work("b", 0))])
  assert.equal(told[2], "rest 50")
})

test("a failed call rejects only for its caller, and the next one runs", async () => {
  const { pace, told, work } = trial()
  const failing = pace.run(() => Promise.reject(new Error("no")))
  const next = pace.run(work("b", 1))
  await assert.rejects(failing, /no/)
  assert.equal(await next, "b")
  assert.equal(told[0], "rest 0")
})
