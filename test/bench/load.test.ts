import assert from "node:assert/strict"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { after, test } from "node:test"
import { bodies } from "../../bench/load/bodies.ts"
import { parseAnswer, postRequest } from "../../bench/load/connection.ts"
import { drive } from "../../bench/load/drive.ts"
import { compareToTarget } from "../../bench/load/figures.ts"
import { createWorkload, cutWorkload, samplesOfCut } from "../../bench/load/workload.ts"
import { shortNumber } from "../../bench/table.ts"
import { Catalogue } from "../../src/catalogue/catalogue.ts"
import { IngestReader } from "../../src/ingest/ingest.ts"
import { SampleBatchBuilder } from "../../src/model/sample-batch.ts"

const startMs = 1_795_132_800_000
const shape = { elements: 7, metrics: 50, minutes: 9, startMs }
const workload = createWorkload(shape)
const whole = { elementFrom: 0, elementTo: 7, minuteFrom: 0, minuteTo: 9 }

test("cuts of a workload hold each sample once, whatever their size", () => {
  const f = (elements: number, minutes: number) => {
    const cuts = cutWorkload(shape, { elements, minutes })
    const count = cuts.reduce((sum, cut) => sum + samplesOfCut(shape, cut), 0)
    assert.equal(count, 7 * 50 * 9)
  }

  f(1, 1)
  f(3, 4)
  f(100, 100)
})

test("a workload has the same values however far it reaches", () => {
  const shorter = createWorkload({ ...shape, elements: 2, minutes: 3, metrics: 4, firstElement: 5 })

  assert.equal(shorter.value(2, 1, 3), workload.value(2, 6, 3))
  assert.equal(shorter.elementIds[1], workload.elementIds[6])
})

test("the body for our server is taken whole and holds every sample", () => {
  const limits = { acceptPastMs: 86_400_000, acceptFutureMs: 300_000 }
  const reader = new IngestReader({ catalogue: new Catalogue(), ...limits, scanner: true })
  const columns = new SampleBatchBuilder()
  const request = {
    tenant: 0,
    injectTimestamp: false,
    reportsLeftOut: false,
    charset: "none",
    nowMs: startMs + 600_000,
  } as const

  const outcome = reader.read(Buffer.from(bodies.tidegauge(workload, whole)), request, columns)

  assert.equal(outcome.ok, true)
  assert.equal(columns.count, samplesOfCut(shape, whole))
})

test("bodies of all formats carry the same values in the same number", () => {
  const cut = { elementFrom: 2, elementTo: 4, minuteFrom: 1, minuteTo: 3 }
  const count = samplesOfCut(shape, cut)
  const points = JSON.parse(bodies.opentsdb(workload, cut)) as { value: number }[]
  const lines = bodies.line(workload, cut).trimEnd().split("\n")
  const series = bodies
    .import(workload, cut)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { values: number[]; timestamps: number[] })

  assert.deepEqual(
    series.flatMap(({ values }) => values).toSorted(),
    points.map(({ value }) => value).toSorted(),
  )
  assert.deepEqual(series[0]?.timestamps, [workload.timeMs(1), workload.timeMs(2)])
  assert.equal(points.length, count)
  assert.deepEqual(
    lines.map((line) => Number(/ value=(\S+) /.exec(line)?.[1])),
    points.map(({ value }) => value),
  )
})

test("parseAnswer() waits for the whole answer", () => {
  const f = (text: string, want: number | null) =>
    assert.equal(parseAnswer(Buffer.from(text))?.status ?? null, want)

  f("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n", null)
  f("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", 202)
  f("HTTP/1.1 204 No Content\r\nDate: x\r\n\r\n", 204)
  f("HTTP/1.1 400 Bad\r\ncontent-length: 3\r\n\r\nab", null)
  f("HTTP/1.1 400 Bad\r\ncontent-length: 3\r\n\r\nabc", 400)
  f("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", null)
  f("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 200)
})

test("drive() sends each request once and counts the samples of accepted ones", async () => {
  let seen = 0
  const server = createServer((request, response) => {
    seen++
    response.statusCode = request.url === "/full" ? 503 : 202
    request.resume().on("end", () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  const to = (path: string) => postRequest({ port, path, headers: {} }, "[]")
  const requests = Array.from({ length: 60 }, (_, i) => to(i % 20 === 7 ? "/full" : "/ingest"))
  const options = { port, requests, samples: () => 50, connections: 4, secondsMax: 10 }

  const fast = await drive(options)
  const paced = await drive({ ...options, rate: 600 })

  assert.equal(seen, 120)
  for (const { requests: accepted, samples, refused, firstRefusal } of [fast, paced]) {
    assert.deepEqual({ accepted, samples, refused }, { accepted: 57, samples: 57 * 50, refused: 3 })
    assert.match(firstRefusal, /^503/)
  }
  assert.ok(paced.seconds >= 59 / 600, `${paced.seconds} s`)
  assert.ok(Number.isFinite(paced.p99Ms) && Number.isNaN(paced.warmUpP99Ms))
  // All of it is warm-up, so nothing is left to measure.
  const warm = await drive({ ...options, rate: 600, warmUpSeconds: 10 })
  assert.ok(Number.isNaN(warm.p99Ms) && Number.isFinite(warm.warmUpP99Ms))
  assert.deepEqual([warm.requests, warm.undisturbed.requests], [57, 0])
})

test("judge() measures against VictoriaMetrics of the same run, else against the promise", () => {
  const kind = {
    title: "x",
    unit: "y",
    better: "more",
    target: 100,
    timesVictoriaMetrics: 1.5,
  } as const

  assert.deepEqual(compareToTarget(kind, 120), { target: 100, reached: true })
  assert.deepEqual(compareToTarget(kind, 120, 90), { target: 135, reached: false })
  assert.deepEqual(compareToTarget({ ...kind, better: "less" }, 120), {
    target: 100,
    reached: false,
  })
  assert.equal(compareToTarget({ title: "x", unit: "y", better: "less" }, 1), null)
})

test("shortNumber() keeps three digits and scales by thousands", () => {
  const f = (value: number, want: string) => assert.equal(shortNumber(value), want)

  f(0, "0")
  f(3.0712, "3.07")
  f(0.1234, "0.123")
  f(214_300, "214 k")
  f(1_534_000, "1.53 M")
  f(999_999, "1000 k")
  f(Number.NaN, "–")
})
