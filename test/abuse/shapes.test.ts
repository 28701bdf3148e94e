import assert from "node:assert/strict"
import { test } from "node:test"
import { Reading } from "../ingest/reading.ts"
import { caseMsMax } from "./fuzz-run.ts"
import { sized } from "../support/run/sizes.ts"
import { leastMs, slowShapes } from "./shapes.ts"

/**
 * The promise, `caseMsMax`, is held by the fuzzer (bench/faults/fuzz.ts) on a quiet machine. Next
 * to other tests only this is detected: work that grows with the square of the length takes longer.
 */
const crowdedMsMax = 1_000
const attempts = sized({ quick: 2, long: 5 })

test("no body of 100 kB takes work beyond its length, nor do both readers judge it apart", (t) => {
  for (const [name, body] of Object.entries(slowShapes)) {
    const bytes = Buffer.from(body)
    assert.ok(bytes.length >= 100_000 && bytes.length < 220_000, name)
    const warm = new Reading()
    const outcome = warm.read(bytes)
    assert.deepEqual(new Reading({ scanner: false }).read(bytes), outcome, name)
    if (outcome.ok) assert.deepEqual(warm.read(bytes), outcome, name)
    // Of a new catalogue each time: known names are not the expensive case.
    const ms = leastMs(() => void new Reading().read(bytes), attempts)
    const againMs = leastMs(() => void warm.read(bytes), attempts)
    if (Math.max(ms, againMs) > caseMsMax / 2)
      t.diagnostic(`${name}: ${ms.toFixed(1)}, ${againMs.toFixed(1)} ms`)
    assert.ok(Math.max(ms, againMs) < crowdedMsMax, `${name} took ${ms} and ${againMs} ms`)
  }
})

test("a number of a million digits is read or refused in time, and as JSON.parse reads it", () => {
  const f = (value: string) => {
    const reading = new Reading()
    const body = `[{"id":"a","samples":[{"metricId":"m","val":${value}}]}]`
    const ms = leastMs(() => reading.read(body, { injectTimestamp: true }), attempts)
    assert.ok(ms < 2 * crowdedMsMax, `${value.slice(0, 9)}… took ${ms} ms`)
    const number = JSON.parse(value) as number
    const isFinite = Number.isFinite(number)
    assert.equal(reading.samples().length > 0, isFinite, value.slice(0, 9))
    if (isFinite) assert.equal(reading.samples()[0]!.value, number + 0)
  }
  f("9".repeat(1_000_000))
  f(`0.${"3".repeat(1_000_000)}`)
  f(`1${"0".repeat(999_000)}e-999000`)
  f(`0.${"0".repeat(999_000)}1e999000`)
  f("9007199254740993")
  f("-0")
})
