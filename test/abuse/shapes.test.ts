import assert from "node:assert/strict"
import { test } from "node:test"
import { Reading } from "../ingest/reading.ts"
import { slowShapes } from "./shapes.ts"

// How long each takes is held by the fuzzer (bench/faults/fuzz.ts).

test("both readers judge bodies of 100 kB alike that want work beyond their length", () => {
  for (const [name, body] of Object.entries(slowShapes)) {
    const bytes = Buffer.from(body)
    assert.ok(bytes.length >= 100_000 && bytes.length < 220_000, name)
    const warm = new Reading()
    const outcome = warm.read(bytes)
    assert.deepEqual(new Reading({ scanner: false }).read(bytes), outcome, name)
    if (outcome.ok) assert.deepEqual(warm.read(bytes), outcome, name)
  }
})

test("a number of a million digits is read or refused as JSON.parse reads it", () => {
  const f = (value: string) => {
    const reading = new Reading()
    const body = `[{"id":"a","samples":[{"metricId":"m","val":${value}}]}]`
    reading.read(body, { injectTimestamp: true })
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
