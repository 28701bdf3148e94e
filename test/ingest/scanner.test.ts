import assert from "node:assert/strict"
import { test } from "node:test"
import * as fc from "fast-check"
import type { IngestReader } from "../../src/ingest/ingest.ts"
import { bodyText, comingTexts, fleetTexts, mutated, mutation, steadyText } from "./bodies.ts"
import type { Mutation } from "./bodies.ts"
import { isLongRun, sized } from "../support/run/sizes.ts"
import { element, nowMs, Reading, sample } from "./reading.ts"

interface Sent {
  readonly body: number
  readonly change: Mutation
  readonly inject: boolean
}

const storyOf = (texts: fc.Arbitrary<string>) =>
  fc.record({
    texts: fc.array(texts, { minLength: 1, maxLength: 3 }),
    sent: fc.array(
      fc.record({
        body: fc.nat(2),
        change: mutation,
        inject: fc.oneof(
          { weight: 3, arbitrary: fc.constant(false) },
          { weight: 1, arbitrary: fc.constant(true) },
        ),
      }),
      { minLength: 4, maxLength: 16 },
    ),
  })

/**
 * Sends the same bodies to a reader with a scanner and to one without, which must agree after each
 * body. Counts the bodies with left-out samples that the scanner read.
 */
function compare(
  texts: readonly string[],
  sent: readonly Sent[],
  cacheBytesMax: number,
): { reader: IngestReader; fastLacking: number } {
  const warm = new Reading({ cacheBytesMax })
  const slow = new Reading({ scanner: false })
  let fastLacking = 0
  // Each body is sent three times unchanged first, so that all templates exist.
  const warmUp = [0, 0, 0, 1, 1, 1, 2, 2, 2].map((body) => ({ body, inject: false }))
  for (const { body, inject, change } of [...warmUp, ...sent] as Partial<Sent>[]) {
    const plain = Buffer.from(texts[body! % texts.length]!)
    const bytes = mutated(plain, change ?? { kind: "none" })
    const options = { injectTimestamp: inject! }
    const context = JSON.stringify(Buffer.from(bytes).toString("latin1"))
    const { parsedBodies } = warm.reader
    const outcome = warm.read(bytes, options)
    assert.deepEqual(outcome, slow.read(bytes, options), context)
    assert.deepEqual(warm.samples(), slow.samples(), context)
    assert.deepEqual(warm.known(), slow.known(), context)
    const isLacking = outcome.ok && outcome.leftOut !== undefined
    if (isLacking && warm.reader.parsedBodies === parsedBodies) fastLacking++
  }
  return { reader: warm.reader, fastLacking }
}

test("a warm scanner and the reference parser agree on every body, intact or damaged", () => {
  let fast = 0
  let slow = 0
  let lacking = 0
  fc.assert(
    fc.property(storyOf(bodyText), ({ texts, sent }) => {
      const { reader, fastLacking } = compare(texts, sent, 1 << 20)
      lacking += fastLacking
      fast += reader.scannedBodies
      slow += reader.parsedBodies
    }),
    { numRuns: sized({ quick: 100, long: 1_000 }) },
  )
  assert.ok(fast > slow / 4, `Expected the scanner to be tried, got ${fast} fast and ${slow} slow`)
  assert.ok(
    lacking > (isLongRun ? fast / 200 : 0),
    `Expected left-out samples, got ${lacking} of ${fast} fast bodies`,
  )
})

test("they agree on steady bodies of elements with the same metrics section", () => {
  fc.assert(
    fc.property(storyOf(steadyText), ({ texts, sent }) => void compare(texts, sent, 1 << 20)),
    { numRuns: sized({ quick: 40, long: 400 }) },
  )
})

test("an element that comes again behind its new metrics is read by the reference parser", () => {
  const post = (...metrics: readonly string[]) => ({
    id: "srv-0",
    metrics: metrics.map((id) => ({ id, unit: "s" })),
    samples: [{ metricId: "m0", timestamp: nowMs, val: 1 }],
  })
  const [known, changed] = [post("m0", "m1"), post("m0", "m2")]
  const texts = [[known], [changed, known]].map((body) => JSON.stringify(body))
  const sent = [{ body: 1, change: { kind: "none" as const }, inject: false }]
  const warm = new Reading({ cacheBytesMax: 1 << 20 })
  for (const _ of [1, 2, 3]) assert.equal(warm.read(texts[0]!).ok, true)
  const { scannedBodies, parsedBodies } = warm.reader
  assert.ok(scannedBodies > 0)
  assert.equal(warm.read(texts[1]!).ok, true)
  assert.equal(warm.reader.parsedBodies, parsedBodies + 1)
  compare(texts, sent, 1 << 20)
})

/**
 * Sends bodies to readers with small limits, which must agree after each. Returns how many the
 * scanner read.
 */
function compareInOrder(texts: readonly string[], changes: readonly Mutation[]): number {
  const limits = { seriesMax: 45, newSeriesPerMinuteMax: 40, textBytesMax: 2_000 }
  const warm = new Reading({ cacheBytesMax: 1 << 20, cardinality: limits })
  const slow = new Reading({ scanner: false, cardinality: limits })
  for (const [i, text] of texts.entries()) {
    const bytes = mutated(Buffer.from(text), changes[i]!)
    const context = JSON.stringify(Buffer.from(bytes).toString("latin1"))
    assert.deepEqual(warm.read(bytes), slow.read(bytes), context)
    assert.deepEqual(warm.samples(), slow.samples(), context)
    assert.deepEqual(warm.known(), slow.known(), context)
  }
  return warm.reader.scannedBodies
}

const rareDamages = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ kind: "none" as const }) },
    { weight: 1, arbitrary: mutation },
  ),
  { minLength: 20, maxLength: 20 },
)

for (const [what, bodies] of [
  ["elements whose metrics come and go", comingTexts],
  ["a fleet of which most posts name a new element", fleetTexts],
] as const) {
  test(`they agree on ${what}`, () => {
    let fast = 0
    let sent = 0
    fc.assert(
      fc.property(bodies, rareDamages, (texts, changes) => {
        fast += compareInOrder(texts, changes)
        sent += texts.length
      }),
      { numRuns: sized({ quick: 80, long: 1_000 }) },
    )
    assert.ok(fast > sent / 4, `Expected the scanner to be tried, got ${fast} of ${sent}`)
  })
}

test("a scanner with too small a cache agrees with the reference parser, too", () => {
  fc.assert(
    fc.property(
      storyOf(fc.oneof(bodyText, steadyText)),
      ({ texts, sent }) => void compare(texts, sent, 1500),
    ),
    { numRuns: sized({ quick: 20, long: 200 }) },
  )
})

test("brackets within samples do not end their list", () => {
  const odd = [
    `{"metricId":"a}]","timestamp":${nowMs},"val":1}`,
    `{"metricId":"a}],\\"tags\\":[{","timestamp":${nowMs},"val":2}`,
    `{"metricId":"b","timestamp":${nowMs},"val":3,"x":[{"y":[{}]}]}`,
    `{"metricId":"c","timestamp":${nowMs},"val":4,"x":[1]}`,
  ]
  const plain = `{"metricId":"cpu","timestamp":${nowMs},"val":5}`
  const posts = odd.flatMap((one, i) => [
    `{"id":"s${i}","samples":[${one},${plain}],"name":"n"}`,
    `{"name":"n","samples":[${plain} ,${one} \n] ,"id":"t${i}"}`,
  ])
  const readers = [new Reading(), new Reading({ scanner: false })] as const
  for (const body of [...posts, ...posts, ...posts].map((post) => `[${post}]`)) {
    const [warm, slow] = readers.map((reader) => [reader.read(body), reader.samples()])
    assert.deepEqual(warm, slow, body)
    assert.deepEqual(readers[0].known(), readers[1].known(), body)
  }
})

test("samples of a new element belong to its series, whatever other elements are new", () => {
  const of = (id: string, from: number) =>
    element({
      id,
      samples: Array.from({ length: 12 }, (_, i) =>
        sample({ metricId: `m${(from + i) % 4}`, timestamp: nowMs - 60_000 * (i >> 2), val: i }),
      ),
    })
  const bodies = [
    [of("a", 0), of("b", 0), of("c", 1)],
    [of("d", 0), of("a", 0)],
    [of("d", 2), of("e", 0), of("e", 0)],
    [of("d", 0), of("e", 0)],
  ]
  const readers = [new Reading(), new Reading({ scanner: false })] as const
  for (const body of bodies) {
    const [warm, slow] = readers.map((reader) => [reader.read(body), reader.samples()])
    assert.deepEqual(warm, slow)
    assert.deepEqual(readers[0].known(), readers[1].known())
  }
  assert.equal(readers[0].reader.scannedBodies, 3)
})

test("the scanner reads a body that it has never seen", () => {
  const reading = new Reading()
  const body = [element(), element({ id: "srv-2" })]
  for (let i = 0; i < 5; i++) assert.ok(reading.read(body).ok)
  assert.equal(reading.reader.parsedBodies, 0)
  assert.equal(reading.reader.scannedBodies, 5)
})

test("the scanner reads the bodies of real collectors", () => {
  const f = (body: string) => {
    const reading = new Reading()
    for (let i = 0; i < 4; i++) assert.ok(reading.read(body).ok)
    assert.equal(reading.reader.scannedBodies, 4, body)
  }
  const python = { avg: null, cnt: null, max: null, metricId: "x", min: null, sum: null }

  f(JSON.stringify([{ id: "a" }]))
  f("[{}]".replace("{}", JSON.stringify({ id: "a", samples: null })))
  f(`\ufeff${JSON.stringify([element()])}\n`)
  f(JSON.stringify([element({ name: "Zürich 😀", samples: [] })], null, 2))
  f(JSON.stringify([element({ samples: [sample({ timestamp: "2026-11-21T00:00:00.000+0000" })] })]))
  f(JSON.stringify([element({ samples: [sample({ val: "12.0" })] })]))
  f(JSON.stringify([element({ samples: [{ ...python, timestamp: nowMs, val: 1 }] })], null, 1))
  f(JSON.stringify([element({ samples: [sample({ min: 0, max: 2, avg: 1, sum: 3, cnt: 3 })] })]))
  f(JSON.stringify([{ attributes: [{ name: "a", value: 1 }], id: "a", samples: [], tags: null }]))
})

test("changed descriptions of an element take effect, also from alternating collectors", () => {
  const reading = new Reading()
  const body = (value: string) => [element({ tags: [{ name: "env", value }] })]
  for (const value of ["a", "a", "a", "b", "a", "b", "b", "a"]) {
    assert.ok(reading.read(body(value)).ok)
    assert.equal(reading.catalogue.elementInfo(0).tags[0]!.value, value)
  }
})

test("a changed tail gets a new template", () => {
  const reading = new Reading()
  const body = (noise: string) => [{ id: "a", samples: [sample()], noise }]
  for (const noise of ["x", "x", "y", "y", "y", "y"]) assert.ok(reading.read(body(noise)).ok)
  assert.equal(reading.reader.parsedBodies, 1)
})

test("a changed metric definition takes effect", () => {
  const reading = new Reading()
  const body = (unit: string) => [element({ metrics: [{ id: "cpu", unit }] })]
  for (const unit of ["a", "a", "a", "b", "a", "b", "b", "a"]) {
    assert.ok(reading.read(body(unit)).ok)
    assert.equal(reading.catalogue.seriesDefinition(0).unit, unit)
  }
})

test("external changes of the catalogue are noticed by the next post", () => {
  const reading = new Reading()
  for (let i = 0; i < 3; i++) reading.read([element({ location: "eu" })])
  reading.catalogue.upsertElement(0, "srv-1", { location: "us", nowMs })
  reading.read([element({ location: "eu" })])
  assert.equal(reading.catalogue.elementInfo(0).location, "eu")

  const body = [element({ metrics: [{ id: "cpu", unit: "s" }] })]
  for (let i = 0; i < 3; i++) reading.read(body)
  reading.catalogue.upsertSeries(0, "cpu", { unit: "ms" })
  reading.reader.invalidate(0)
  reading.read(body)
  assert.equal(reading.catalogue.seriesDefinition(0).unit, "s")
})

test("posts that differ every time neither fill the cache nor cost a template each", () => {
  const reading = new Reading({ cacheBytesMax: 20_000 })
  for (let i = 0; i < 2000; i++) {
    assert.ok(reading.read([element({ id: `srv-${i % 50}`, noise: i })]).ok)
    if (i % 100 === 0) reading.columns.clear()
  }
  assert.ok(
    reading.reader.cacheBytes <= 20_000,
    `Expected a bound, got ${reading.reader.cacheBytes}`,
  )
  assert.ok(reading.reader.parsedBodies > 1000)
})

test("an element with short-lived series is still matched", () => {
  const reading = new Reading()
  const posts = 120
  const postsPerName = 10
  for (let post = 0; post < posts; post++) {
    const newest = `pod.${Math.floor(post / postsPerName)}`
    const ids = ["cpu", "memory", "disk", newest]
    const metrics = ids.map((id) => ({ id, unit: "percent" }))
    const samples = ids.map((id) => ({ metricId: id, timestamp: nowMs, val: post }))
    assert.equal(reading.read([{ id: "a", type: "SERVER", metrics, samples }]).ok, true)
  }
  // Bodies with new names are read by the scanner, too.
  assert.equal(reading.reader.parsedBodies, 0)
  assert.equal(reading.catalogue.seriesCount, 3 + posts / postsPerName)
})

test("the number of sample templates is bounded", () => {
  const reading = new Reading()
  for (let i = 0; i < 500; i++) {
    const samples = Array.from({ length: 10 }, (_, k) => sample({ noise: `${i}-${k}` }))
    assert.ok(reading.read([element({ samples })]).ok)
    reading.columns.clear()
  }
  assert.equal(reading.reader.parsedBodies, 0)
  assert.ok(
    reading.reader.cacheBytes < 40_000,
    `Expected a bound, got ${reading.reader.cacheBytes}`,
  )
})

test("a sample that returns to an earlier timestamp keeps it", () => {
  const times = [0, 0, -1, -1, 0, -2, -1].map((offset) => nowMs + offset)
  const samples = times.map((timestamp, i) =>
    sample({ timestamp, metricId: i % 2 ? "cpu" : "mem" }),
  )
  const reading = new Reading()
  for (let i = 0; i < 4; i++) reading.read([element({ samples })])
  assert.deepEqual(
    reading
      .samples()
      .map((s) => s.timeMs)
      .slice(-7),
    times,
  )
})

test("a body can be a part of a larger buffer", () => {
  const body = Buffer.from(JSON.stringify([element()]))
  const reading = new Reading()
  for (const offset of [3, 8, 21, 40]) {
    const slab = new Uint8Array(new SharedArrayBuffer(body.length + offset + 2)).fill(0x31)
    slab.set(body, offset)
    assert.ok(reading.read(slab.subarray(offset, offset + body.length)).ok)
    // One byte shorter: the bytes after it must not complete it.
    assert.ok(!reading.read(slab.subarray(offset, offset + body.length - 1)).ok)
  }
  assert.equal(reading.reader.scannedBodies, 4)
})
