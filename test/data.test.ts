/** The sample inputs under data/: what each leaves behind, on both paths of the ingest reader. */

import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { test } from "node:test"
import { nowMs, Reading } from "./ingest/reading.ts"

const folder = new URL("../data/ingest/", import.meta.url)

function bodyOf(name: string): Buffer {
  return readFileSync(new URL(`${name}.json`, folder))
}

/** Reads a body twice, so that the scanner has met it, and once more without the scanner. */
function readAll(name: string, injectTimestamp = false): Reading {
  const reading = new Reading()
  const judge = new Reading({ scanner: false })
  for (const one of [reading, reading, judge]) {
    one.columns.clear()
    const outcome = one.read(bodyOf(name), { injectTimestamp })
    assert.ok(outcome.ok, JSON.stringify(outcome))
  }
  assert.deepEqual(reading.samples(), judge.samples())
  return judge
}

function values(reading: Reading): [metric: string, secondsBefore: number, value: number][] {
  return reading
    .samples()
    .map(({ metric, timeMs, value }) => [metric, (nowMs - timeMs) / 1000, value])
}

test("every sample input has a test here and a row in data/README.md", () => {
  const names = readdirSync(folder).map((name) => name.replace(/\.json$/, ""))
  const known = ["aggregates", "counter", "inject-timestamp", "iso-timestamps", "one-element"]
  assert.deepEqual(names.sort(), known)
  const page = readFileSync(new URL("../README.md", folder), "utf8")
  for (const name of known) assert.ok(page.includes(`\`${name}.json\``), name)
})

test("one-element.json declares a server and stores four samples", () => {
  const reading = readAll("one-element")
  assert.deepEqual(values(reading), [
    ["cpu.total.utilization", 120, 41.5],
    ["cpu.total.utilization", 60, 43.25],
    ["memory.used", 120, 6_174_015_488],
    ["memory.used", 60, 6_174_154_752],
  ])
  const { type, attributes } = reading.catalogue.elementInfo(0)
  assert.equal(type, "SERVER")
  assert.deepEqual(attributes, [{ name: "cores", value: "8" }])
})

test("aggregates.json keeps what the client aggregated, and a mean of each", () => {
  const samples = readAll("aggregates").samples()
  assert.deepEqual(
    samples.map(({ value }) => value),
    [18.25, 18, 17.5],
  )
  assert.deepEqual(samples[1]!.fields, { min: 3.25, max: 190.5, sum: 9000, cnt: 500 })
  assert.equal(samples[2]!.fields, undefined)
})

test("iso-timestamps.json names instants in three ways, and its element is cleaned", () => {
  const reading = readAll("iso-timestamps")
  assert.deepEqual(values(reading), [
    ["temperature", 120, 21.5],
    ["temperature", 89.75, 21.75],
    ["temperature", 60, 22],
  ])
  assert.equal(reading.samples()[0]!.element, "sensor_7")
})

test("counter.json stores what was sent and declares a counter", () => {
  const reading = readAll("counter")
  assert.deepEqual(
    values(reading).map(([, , value]) => value),
    [9_007_199_254_000, 9_007_199_310_000, 51_200],
  )
  assert.equal(reading.catalogue.seriesDefinition(0).type, "COUNTER")
})

test("inject-timestamp.json gets the server's time, and is refused without the option", () => {
  const reading = readAll("inject-timestamp", true)
  assert.deepEqual(values(reading), [
    ["queue.depth", 0, 12],
    ["jobs.failed", 0, 0],
  ])
  const outcome = new Reading().read(bodyOf("inject-timestamp"))
  assert.ok(!outcome.ok)
  assert.match(outcome.errors.join("\n"), /timestamp/i)
})
