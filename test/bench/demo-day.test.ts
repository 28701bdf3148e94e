import assert from "node:assert/strict"
import { test } from "node:test"
import { seededRandom } from "../support/run/seeded-random.ts"
import {
  dailyLoad,
  demoBodies,
  demoMinutes,
  demoSampleCount,
  demoServerNames,
  minutesPerBody,
  noonSpike,
} from "../../bench/demo/demo-day.ts"
import { demoMetrics } from "../../bench/demo/demo-metrics.ts"
import { nowMs, Reading } from "../ingest/reading.ts"

const dayMs = 86_400_000
const yesterdayMs = nowMs - dayMs

function firstBody(seed: number): string {
  return demoBodies(seededRandom(seed), yesterdayMs).next().value!.json
}

interface Sample {
  readonly metricId: string
  readonly timestamp: number
  readonly val: number
}

/** All samples of one metric of the first server, in order. */
function valuesOf(metricId: string): number[] {
  const values: number[] = []
  for (const { json } of demoBodies(seededRandom(20), yesterdayMs)) {
    // The first element alone: reading all 56 MB would take seconds.
    const end = json.indexOf(`},{"id":"${demoServerNames[1]}"`) + 1
    const element = JSON.parse(json.slice(1, end)) as { samples: Sample[] }
    for (const sample of element.samples) if (sample.metricId === metricId) values.push(sample.val)
  }
  return values
}

test("the day has 20 servers, 30 metrics and a sample a minute: 864,000 in all", () => {
  assert.equal(demoServerNames.length, 20)
  assert.equal(new Set(demoServerNames).size, 20)
  assert.equal(new Set(demoMetrics.map(({ id }) => id)).size, 30)
  assert.equal(demoSampleCount, 864_000)
  assert.equal(demoMinutes % minutesPerBody, 0)
})

test("the same seed and day give the same bytes, another seed others", () => {
  assert.equal(firstBody(20), firstBody(20))
  assert.notEqual(firstBody(20), firstBody(21))
})

test("a body is about 1 MB and is taken whole by the ingest reader", () => {
  const [body] = demoBodies(seededRandom(20), yesterdayMs)
  assert.ok(body!.json.length > 500_000 && body!.json.length < 1_500_000, `${body!.json.length}`)
  const reading = new Reading()
  const outcome = reading.read(body!.json)
  assert.deepEqual(outcome, { ok: true, elements: 20, samples: body!.samples })
  assert.equal(reading.columns.count, 20 * 30 * minutesPerBody)
  assert.equal(reading.columns.runTimesMs[0], yesterdayMs)
})

test("a gauge follows the day and peaks in the spike at noon", () => {
  const values = valuesOf("load.1m")
  assert.equal(values.length, demoMinutes)
  const average = (from: number, to: number) =>
    values.slice(from, to).reduce((sum, value) => sum + value, 0) / (to - from)
  assert.ok(average(14 * 60, 16 * 60) > 1.5 * average(2 * 60, 4 * 60))
  const peak = values.indexOf(Math.max(...values))
  assert.ok(peak >= 720 && peak < 740, `peak at minute ${peak}`)
})

test("a counter never falls", () => {
  const values = valuesOf("http.requests.total")
  for (let i = 1; i < values.length; i++) assert.ok(values[i]! > values[i - 1]!)
})

test("load is between 0.2 and 1, and the spike begins at noon", () => {
  const f = (minute: number, load: number, spike: number) => {
    assert.ok(Math.abs(dailyLoad(minute) - load) < 0.001, `${dailyLoad(minute)}`)
    assert.ok(Math.abs(noonSpike(minute) - spike) < 0.001, `${noonSpike(minute)}`)
  }

  f(3 * 60, 0.2, 0)
  f(15 * 60, 1, 0)
  f(12 * 60 - 1, 0.881, 0)
  f(12 * 60, 0.883, 1)
  f(12 * 60 + 15, 0.901, 0.368)
})
