import assert from "node:assert/strict"
import { test } from "node:test"
import { bodies } from "../../bench/load/bodies.ts"
import { mixedBody, mixedOpenTsdbBody } from "../../bench/load/mixed-bodies.ts"
import { createMixedWorkload } from "../../bench/load/mixed-workload.ts"
import { createWorkload, samplesOfCut } from "../../bench/load/workload.ts"
import { MovingCorpus } from "../../bench/warm/moving-corpus.ts"
import { MovingRequest } from "../../bench/warm/moving-request.ts"
import { Catalogue } from "../../src/catalogue/catalogue.ts"
import { IngestReader } from "../../src/ingest/ingest.ts"
import { SampleBatchBuilder } from "../../src/model/sample-batch.ts"

const startMs = 1_795_132_800_000
const minutes = 20
const spanMs = minutes * 60_000
const step = { spanMs, counterGrowth: minutes * 1500 }
const workload = createWorkload({ elements: 2, metrics: 50, minutes, startMs })
const cut = { elementFrom: 0, elementTo: 2, minuteFrom: 0, minuteTo: minutes }
const samples = samplesOfCut(workload, cut)

interface Sample {
  readonly series: string
  readonly timeMs: number
  readonly value: number
}

interface OurElement {
  readonly id: string
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
  readonly tags: { readonly element: string }
}

interface Line {
  readonly metric: { readonly __name__: string; readonly element: string }
  readonly values: readonly number[]
  readonly timestamps: readonly number[]
}

const read = {
  tidegauge: (text: string): Sample[] =>
    (JSON.parse(text) as OurElement[]).flatMap(({ id, samples: list }) =>
      list.map(({ metricId, timestamp, val, avg }) => {
        const timeMs = new Date(timestamp).getTime()
        return { series: `${id} ${metricId}`, timeMs, value: (val ?? avg)! }
      }),
    ),
  opentsdb: (text: string): Sample[] =>
    (JSON.parse(text) as Point[]).map(({ metric, timestamp, value, tags }) => {
      return { series: `${tags.element} ${metric}`, timeMs: timestamp * 1000, value }
    }),
  import: (text: string): Sample[] =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Line)
      .flatMap(({ metric, values, timestamps }) =>
        values.map((value, i) => {
          const series = `${metric.element} ${metric.__name__}`
          return { series, timeMs: timestamps[i]!, value }
        }),
      ),
}

function requestOf(format: keyof typeof read): MovingRequest {
  const isImport = format === "import"
  return new MovingRequest({
    bytes: Buffer.from(bodies[format](workload, cut)),
    format,
    samples,
    kindOf: (i) => workload.metricList[Math.floor(isImport ? i / minutes : i) % 50]!.stream,
  })
}

for (const format of ["tidegauge", "opentsdb", "import"] as const) {
  test(`a ${format} body has in each pass the same series at later times, other values`, () => {
    const request = requestOf(format)
    const passes = [0, 1, 7].map((pass) => {
      return { pass, list: read[format](request.move(pass, step).toString("latin1")) }
    })

    const first = passes[0]!.list
    assert.equal(first.length, samples)
    for (const { pass, list } of passes.slice(1)) {
      assert.deepEqual(
        list.map(({ series, timeMs }) => [series, timeMs]),
        first.map(({ series, timeMs }) => [series, timeMs + pass * spanMs]),
      )
      // Constants stay, and a gauge whose last decimal is zero.
      const same = list.filter(({ value }, i) => value === first[i]!.value).length
      assert.ok(same < samples / 4, `${same} of ${samples} values are as before`)
      assert.ok(list.every(({ value }, i) => Math.abs(value / first[i]!.value - 1) < 0.9))
    }
    assert.equal(request.lastMs(7, step), startMs + 7 * spanMs + (minutes - 1) * 60_000)
  })
}

test("counters rise from pass to pass", () => {
  const request = requestOf("import")
  const counters = new Set(
    workload.metricList.filter(({ isCounter }) => isCounter).map(({ fqn }) => fqn),
  )
  const last = new Map<string, number>()
  for (let pass = 0; pass < 3; pass++) {
    for (const { series, value } of read.import(request.move(pass, step).toString("latin1"))) {
      if (!counters.has(series.split(" ")[1]!)) continue
      assert.ok(value > (last.get(series) ?? 0), `${series} falls to ${value} in pass ${pass}`)
      last.set(series, value)
    }
  }
  assert.equal(last.size, 2 * counters.size)
})

test("bodies of a mixed fleet move in every writing, and names renew with each pass", () => {
  const mixed = createMixedWorkload({ elements: 30, minutes: 60, startMs, hasGenerations: true })
  const limits = { acceptPastMs: 2 * 86_400_000, acceptFutureMs: 300_000 }
  const catalogue = new Catalogue()
  const reader = new IngestReader({ catalogue, ...limits, scanner: true })
  const nowMs = startMs + 86_400_000
  const about = {
    tenant: 0,
    injectTimestamp: false,
    charset: "none",
    reportsLeftOut: false,
  } as const
  const of = { spanMs: 3_600_000, counterGrowth: 90_000 }
  const names = [new Set<string>(), new Set<string>()]
  for (const [element, { metrics }] of mixed.elements.entries()) {
    const kindOf = (i: number) => (metrics[i]!.isAggregated ? "fixed" : metrics[i]!.stream)
    const make = (format: "tidegauge" | "opentsdb") => {
      const print = format === "opentsdb" ? mixedOpenTsdbBody : mixedBody
      const bytes = Buffer.from(print(mixed, element, 59))
      return new MovingRequest({ bytes, format, samples: metrics.length, kindOf })
    }
    const [ours, theirs] = [make("tidegauge"), make("opentsdb")]
    for (const pass of [0, 1]) {
      const body = ours.move(pass, of)
      const outcome = reader.read(body, { ...about, nowMs }, new SampleBatchBuilder())
      assert.equal(outcome.ok, true)
      const taken = read.tidegauge(body.toString("latin1"))
      const points = read.opentsdb(theirs.move(pass, of).toString("latin1"))
      const timed = (list: readonly Sample[]) => list.map(({ series, timeMs }) => [series, timeMs])
      assert.deepEqual(timed(taken), timed(points))
      assert.ok(taken.every(({ timeMs }) => timeMs === mixed.timeMs(59 + 60 * pass, element)))
      for (const { series } of taken) names[pass]!.add(series)
    }
  }
  const renewed = [...names[1]!].filter((name) => !names[0]!.has(name))
  assert.ok(renewed.length > 0 && renewed.every((series) => series.endsWith(".g00002")))
})

test("a moving corpus begins again behind its end and stops before the present", () => {
  const requests = [0, 1].map((minute) => {
    const one = { elementFrom: 0, elementTo: 1, minuteFrom: minute, minuteTo: minute + 1 }
    return new MovingRequest({
      bytes: Buffer.from(bodies.tidegauge(workload, one)),
      format: "tidegauge",
      samples: 50,
      kindOf: (i) => workload.metricList[i]!.stream,
    })
  })
  const untilMs = startMs + 5 * 60_000
  const corpus = new MovingCorpus({ requests, samples: (i) => 50 + i, minutes: 2, untilMs })
  const timeOf = (bytes: Buffer | undefined) => read.tidegauge(String(bytes))[0]!.timeMs

  const first = corpus.next()
  const times = [0, 1, 2].map((i) => timeOf(first.requests.at(i)))
  const second = corpus.next()
  times.push(timeOf(second.requests.at(0)), timeOf(second.requests.at(1)))

  assert.deepEqual(
    times,
    [0, 1, 2, 3, 4].map((minute) => startMs + minute * 60_000),
  )
  assert.deepEqual([first.samples(1), first.samples(2), second.samples(0)], [51, 50, 51])
  assert.equal(corpus.passes, 3)
  assert.throws(() => second.requests.at(2), /reach the present in pass 2/)
})
