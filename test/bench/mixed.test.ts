import assert from "node:assert/strict"
import { test } from "node:test"
import { mixedBody, mixedOpenTsdbBody } from "../../bench/load/mixed-bodies.ts"
import { createMixedWorkload, samplesOf } from "../../bench/load/mixed-workload.ts"
import { Catalogue } from "../../src/catalogue/catalogue.ts"
import { IngestReader } from "../../src/ingest/ingest.ts"
import { SampleBatchBuilder } from "../../src/model/sample-batch.ts"

const startMs = 1_795_132_800_000
const minutes = 60
const workload = createMixedWorkload({ elements: 60, minutes, startMs })
const metrics = workload.elements.flatMap((element) => element.metrics)

interface Post {
  readonly metrics: readonly { readonly id: string }[]
  readonly samples: readonly {
    readonly metricId: string
    readonly timestamp: number | string
    readonly val?: number
    readonly avg?: number
  }[]
}

interface Point {
  readonly metric: string
  readonly timestamp: number
  readonly value: number
}

function bodyOf(element: number, minute: number): Post {
  return (JSON.parse(mixedBody(workload, element, minute)) as Post[])[0]!
}

test("every body of a mixed fleet is taken whole and holds every sample", () => {
  const limits = { acceptPastMs: 86_400_000, acceptFutureMs: 300_000 }
  const catalogue = new Catalogue()
  const reader = new IngestReader({ catalogue, ...limits, scanner: true })
  const about = {
    tenant: 0,
    injectTimestamp: false,
    charset: "none",
    reportsLeftOut: false,
  } as const
  for (let minute = 0; minute < 4; minute++) {
    for (let element = 0; element < workload.elements.length; element++) {
      const columns = new SampleBatchBuilder()
      const body = Buffer.from(mixedBody(workload, element, minute))

      const outcome = reader.read(body, { ...about, nowMs: startMs + 3_600_000 }, columns)

      assert.equal(outcome.ok, true)
      assert.equal(columns.count, samplesOf(workload, element))
    }
  }
})

test("both bodies of a mixed fleet carry the same samples", () => {
  for (let element = 0; element < workload.elements.length; element++) {
    const points = JSON.parse(mixedOpenTsdbBody(workload, element, 7)) as Point[]
    const { samples } = bodyOf(element, 7)
    const ours = samples.map(({ metricId, timestamp, val, avg }) => {
      return [metricId, new Date(timestamp).getTime() / 1000, val ?? avg]
    })
    const theirs = points.map(({ metric, timestamp, value }) => [metric, timestamp, value])

    assert.deepEqual(ours, theirs)
  }
})

test("a mixed fleet is as mixed as it says", () => {
  const isNear = (count: number, of: number, share: number, tolerance = 0.12): void => {
    assert.ok(Math.abs(count / of - share) < tolerance, `${count} of ${of}`)
  }
  const { elements } = workload
  const counts = elements.map((element) => element.metrics.length)
  const orders = new Set(elements.map((_, i) => Object.keys(bodyOf(i, 0)).join()))
  const last = minutes - 1

  assert.ok(Math.min(...counts) >= 1 && Math.max(...counts) <= 200)
  assert.equal(orders.size, 3)
  isNear(elements.filter(({ isPretty }) => isPretty).length, elements.length, 1 / 2)
  isNear(elements.filter(({ isIso }) => isIso).length, elements.length, 1 / 3)
  isNear(metrics.filter(({ isAggregated }) => isAggregated).length, metrics.length, 1 / 5, 0.02)
  const renewed = metrics.filter((metric) => metric.nameAt(0) !== metric.nameAt(last))
  isNear(renewed.length, metrics.length, 1 / 20, 0.01)
})
