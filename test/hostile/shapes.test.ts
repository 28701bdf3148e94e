import assert from "node:assert/strict"
import { test } from "node:test"
import { Reading } from "../ingest/reading.ts"
import { caseMsMax } from "./fuzz-run.ts"
import { slowShapes } from "./shapes.ts"

/** The least of three: what the work takes, without the machine's other work. */
function leastMs(work: () => void): number {
  let least = Infinity
  for (let attempt = 0; attempt < 3; attempt++) {
    const startedMs = performance.now()
    work()
    least = Math.min(least, performance.now() - startedMs)
  }
  return least
}

/** The promise is `caseMsMax` on a quiet machine; CI shares its cores with other tests. */
const crowdedMsMax = 3 * caseMsMax

test("no body of 100 kB takes longer than 50 ms to be judged, nor by both readers apart", (t) => {
  for (const [name, body] of Object.entries(slowShapes)) {
    const bytes = Buffer.from(body)
    assert.ok(bytes.length >= 100_000 && bytes.length < 220_000, name)
    const warm = new Reading()
    const outcome = warm.read(bytes)
    assert.deepEqual(new Reading({ scanner: false }).read(bytes), outcome, name)
    if (outcome.ok) assert.deepEqual(warm.read(bytes), outcome, name)
    // Of a new catalogue each time: what is known already is not the dear case.
    const ms = leastMs(() => void new Reading().read(bytes))
    const againMs = leastMs(() => void warm.read(bytes))
    if (Math.max(ms, againMs) > caseMsMax / 2)
      t.diagnostic(`${name}: ${ms.toFixed(1)}, ${againMs.toFixed(1)} ms`)
    assert.ok(Math.max(ms, againMs) < crowdedMsMax, `${name} took ${ms} and ${againMs} ms`)
  }
})

test("a number of a million digits is read or refused in time, and as JSON.parse reads it", () => {
  const f = (value: string) => {
    const reading = new Reading()
    const body = `[{"id":"a","samples":[{"metricId":"m","val":${value}}]}]`
    const ms = leastMs(() => reading.read(body, { injectTimestamp: true }))
    assert.ok(ms < caseMsMax * 10, `${value.slice(0, 9)}… took ${ms} ms`)
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
