import assert from "node:assert/strict"
import { test } from "node:test"
import type { Charset } from "../../src/ingest/ingest.ts"
import { defaultDefinition } from "../../src/model/element.ts"
import { element, nowMs, Reading, sample } from "./reading.ts"

/** Reads one body three times, so that the scanner has a template the last time; all must agree. */
function readThrice(body: unknown, options: Parameters<Reading["read"]>[1] = {}): Reading {
  const reading = new Reading()
  for (let time = 0; time < 3; time++) {
    const outcome = reading.read(body, options)
    assert.ok(outcome.ok, `${outcome.ok ? "" : outcome.errors.join("; ")}`)
  }
  const samples = reading.samples()
  const third = samples.length / 3
  const ofRequest = (request: number) =>
    samples.filter((s) => s.request === request).map((s) => ({ ...s, request: 0 }))
  assert.equal(ofRequest(0).length, third)
  assert.deepEqual(ofRequest(1), ofRequest(0))
  assert.deepEqual(ofRequest(2), ofRequest(0))
  return reading
}

const valuesOf = (reading: Reading): number[] =>
  reading.samples().flatMap((s) => (s.request === 0 ? [s.value] : []))
const firstInfo = (reading: Reading) => reading.catalogue.elementInfo(0)
const firstDefinition = (reading: Reading) => reading.catalogue.seriesDefinition(0)

test("read() accepts a sample's value in every meaningful form", () => {
  const f = (members: object, want: number) =>
    assert.deepEqual(valuesOf(readThrice([element({ samples: [sample(members)] })])), [want])

  f({ val: 0 }, 0)
  f({ val: -12.5e3 }, -12_500)
  f({ val: "12.0" }, 12)
  f({ val: "1.2E11" }, 1.2e11)
  f({ val: " +.5 " }, 0.5)
  f({ val: "7." }, 7)
  f({ val: 1.7976931348623157e308 }, 1.7976931348623157e308)
  f({ val: 9007199254740992 }, 9007199254740992)
  f({ val: 3, min: null, max: null, avg: null, sum: null, cnt: null }, 3)
  f({ val: 3, min: "", host: "x", nested: { a: [1] } }, 3)
})

test("read() turns -0 into 0", () => {
  const reading = readThrice(
    `[{"id":"a","samples":[{"metricId":"m","timestamp":${nowMs},"val":-0}]}]`,
  )
  assert.ok(valuesOf(reading).every((value) => Object.is(value, 0)))
})

test("read() keeps each field of an aggregated sample, and its mean as the value", () => {
  const f = (fields: Record<string, number>, mean: number) => {
    const reading = readThrice([
      element({ samples: [{ metricId: "cpu", timestamp: nowMs, ...fields }] }),
    ])
    assert.deepEqual(reading.samples()[0]!.fields, fields)
    assert.equal(reading.samples()[0]!.value, mean)
  }

  f({ val: 1, min: 0, max: 100, avg: 50, cnt: 3, sum: 150 }, 50)
  f({ avg: 4 }, 4)
  f({ cnt: 4, sum: 10 }, 2.5)
  f({ val: 5, min: 1 }, 5)
})

test("read() accepts a timestamp in every documented form", () => {
  const f = (timestamp: unknown, want = nowMs) => {
    const reading = readThrice([element({ samples: [sample({ timestamp })] })])
    assert.equal(reading.samples()[0]!.timeMs, want)
  }

  f(nowMs)
  f(nowMs + 0.75)
  f(`${nowMs}`)
  f(`${nowMs}.5`)
  f("1.7952192e12")
  f("2026-11-21T00:00:00.000Z")
  f("2026-11-21T00:00:00Z")
  f("2026-11-21T00:00Z")
  f("2026-11-21T01:30:00.000+0130")
  f("2026-11-20T22:00:00-0200")
  f("2026-11-20T22:00:00-02:00")
  f("2026-11-21T02:00:00.123456+02", nowMs + 123)
  f(nowMs - 14 * 86_400_000, nowMs - 14 * 86_400_000)
  f(nowMs + 300_000, nowMs + 300_000)
})

test("read() gives every sample the server's time if INJECT_TIMESTAMP is set", () => {
  const timestamps = [undefined, null, "", nowMs - 5, 17, "yesterday", { a: 1 }, true]
  const samples = timestamps.map((timestamp) => sample({ timestamp }))
  const reading = new Reading()
  for (let time = 0; time < 3; time++) {
    assert.ok(reading.read([element({ samples })], { injectTimestamp: true }).ok)
  }
  const read = reading.samples()
  assert.equal(read.length, 3 * timestamps.length)
  // As one request, no sample is taken for a re-delivery of an equal one.
  assert.ok(read.every(({ timeMs, request }) => timeMs === nowMs && request === 0))
})

test("read() accepts posts without samples, without metrics, and without elements", () => {
  const f = (body: unknown, elements: number) => {
    const reading = readThrice(body)
    assert.deepEqual(reading.read(body), { ok: true, elements, samples: 0 })
  }

  f([], 0)
  f(" [ ] ", 0)
  f([{ id: "a" }], 1)
  f([{ id: "a", metrics: [], samples: [] }], 1)
  f([{ id: "a", metrics: null, samples: null, tags: null, relations: null }], 1)
  f([{ id: "a", samples: "", metrics: "" }], 1)
  f([{ id: "a" }, { id: "b" }, { id: "a" }], 3)
})

const nothingSaid = {
  name: "srv_1",
  type: "unknown",
  location: null,
  tags: [],
  attributes: [],
  relations: [],
  createdMs: nowMs,
}

test("read() treats null, empty and missing optional fields of an element alike", () => {
  const f = (members: object, want: object) =>
    assert.deepEqual(firstInfo(readThrice([{ id: "srv 1", ...members }])), {
      ...nothingSaid,
      ...want,
    })

  f({}, {})
  f({ type: null, name: "", location: null, tags: [], attributes: null }, {})
  f({ type: "", name: 5, location: true }, { name: "5", location: "true" })
  f(
    { type: "SERVER", name: "Näme", location: "eu" },
    { type: "SERVER", name: "Näme", location: "eu" },
  )
  f(
    {
      tags: [
        { name: "b", value: 1 },
        { name: "a", value: null },
      ],
    },
    {
      tags: [
        { name: "a", value: "" },
        { name: "b", value: "1" },
      ],
    },
  )
  f(
    {
      tags: [
        { name: "a", value: 1 },
        { name: "a", value: 2 },
      ],
    },
    { tags: [{ name: "a", value: "2" }] },
  )
  f(
    { attributes: { "ram bytes": 17, up: true } },
    {
      attributes: [
        { name: "ram bytes", value: "17" },
        { name: "up", value: "true" },
      ],
    },
  )
  f(
    { relations: [{ fqn: "b c" }, { fqn: null }, {}, null, "a", { fqn: "//" }] },
    {
      relations: ["a", "b_c"],
    },
  )
  f({ unknown: { deep: [[]] }, ["__proto__"]: { name: "x" } }, {})
})

test("read() treats __proto__ as any other name", () => {
  const body = `[{"id":"a","__proto__":{"type":"x"},"tags":{"__proto__":"1","constructor":"2"}}]`
  const info = firstInfo(readThrice(body))
  assert.equal(info.type, "unknown")
  assert.deepEqual(
    info.tags.map((tag) => tag.name),
    ["__proto__", "constructor"],
  )
})

test("read() normalises the definition of a metric", () => {
  const f = (members: object, want: object) => {
    const reading = readThrice([element({ metrics: [{ id: "cpu", ...members }] })])
    assert.deepEqual(firstDefinition(reading), {
      ...defaultDefinition,
      ...want,
    })
  }

  f({}, {})
  f({ name: "", unit: null, type: "", tags: [] }, {})
  f({ type: "COUNTER", unit: "weird unit" }, { type: "COUNTER", unit: "weird unit" })
  f({ type: "counter" }, { type: "counter" })
  f({ sparseDataStrategy: "ReplaceWithLast" }, { sparseDataStrategy: "ReplaceWithLast" })
  f({ sparseDataStrategy: "replacewithzero" }, { sparseDataStrategy: "ReplaceWithZero" })
  f({ sparseDataStrategy: "Whatever" }, {})
})

test("read() uses only the last of several metrics with one id", () => {
  const metrics = [
    { id: "cpu", unit: "s", type: "COUNTER" },
    { id: "c/pu", unit: "ms" },
  ]
  const reading = readThrice([element({ metrics })])
  assert.equal(firstDefinition(reading).unit, "ms")
  assert.equal(firstDefinition(reading).type, "")
})

test("read() creates the metric of a sample without a declaration", () => {
  const reading = readThrice([element({ metrics: [{ id: "other" }] })])
  assert.deepEqual(
    reading.samples().map((s) => s.metric),
    ["cpu", "cpu", "cpu"],
  )
  assert.equal(reading.catalogue.seriesCount, 2)
})

test("read() treats raw ids with the same cleaned name as one element and one metric", () => {
  const f = (id: unknown, metricId: unknown) => {
    const body = [
      { id: "a_1.b", metrics: [{ id: "m_1" }] },
      { id, samples: [sample({ metricId })] },
    ]
    const reading = readThrice(body)
    assert.equal(reading.catalogue.elementCount, 1)
    assert.equal(reading.catalogue.seriesCount, 1)
  }

  f("a_1.b", "m_1")
  f("a 1.b", "m 1")
  f("/a:_1.b/", "m_1%")
  f("äa_1.bü", "m🎉_1")
})

test("read() accepts numbers as ids", () => {
  const reading = readThrice([{ id: 42, samples: [sample({ metricId: 7 })] }])
  assert.equal(reading.samples()[0]!.element, "42")
  assert.equal(reading.samples()[0]!.metric, "7")
})

test("read() merges two posts of one element in one body", () => {
  const body = [
    element({ tags: [{ name: "a", value: "1" }], location: "eu" }),
    element({ tags: [{ name: "b", value: "2" }], samples: [sample({ val: 2 })] }),
  ]
  const reading = readThrice(body)
  assert.equal(firstInfo(reading).tags.length, 2)
  assert.equal(firstInfo(reading).location, "eu")
  assert.deepEqual(valuesOf(reading), [1, 2])
})

test("read() keeps order and repetitions of a request's samples", () => {
  const samples = [3, 1, 1, 2].map((val, i) => sample({ val, timestamp: nowMs - (i % 2) }))
  assert.deepEqual(valuesOf(readThrice([element({ samples })])), [3, 1, 1, 2])
})

test("read() keeps tenants apart", () => {
  const reading = new Reading()
  for (const tenant of [0, 1, 0, 1, 0, 1]) assert.ok(reading.read([element()], { tenant }).ok)
  assert.equal(reading.catalogue.elementCount, 2)
  assert.equal(reading.catalogue.seriesCount, 2)
})

test("read() replaces lone surrogates, which no store could keep", () => {
  const body = String.raw`[{"id":"a","name":"x\ud83dy","location":"\ud83d\ude00"}]`
  const info = firstInfo(readThrice(body))
  assert.equal(info.name, "x\ufffdy")
  assert.equal(info.location, "😀")
})

test("read() decodes every charset of spec/ingest §3", () => {
  const text = JSON.stringify([element({ name: "Zürich" })])
  const utf16 = Buffer.from(text, "utf16le")
  const f = (body: Buffer, charset: "none" | "utf-8" | "utf-16" | "iso-8859-1") =>
    assert.equal(firstInfo(readThrice(body, { charset })).name, "Zürich")

  f(Buffer.from(text), "none")
  f(Buffer.from(text), "utf-8")
  f(Buffer.from(`\ufeff${text}`), "none")
  f(Buffer.from(`\ufeff${text}`), "iso-8859-1")
  f(Buffer.from(text, "latin1"), "none")
  f(Buffer.from(text, "latin1"), "iso-8859-1")
  f(utf16, "utf-16")
  f(Buffer.from(`\ufeff${text}`, "utf16le"), "none")
  f(Buffer.from(`\ufeff${text}`, "utf16le"), "utf-16")
  f(Buffer.from(utf16).swap16(), "utf-16")
  f(Buffer.from(`\ufeff${text}`, "utf16le").swap16(), "utf-8")
})

test("read() decodes the characters that a charset of one byte has of its own", () => {
  const [head, tail] = JSON.stringify([element({ name: "?" })]).split("?")
  const f = (bytes: readonly number[], charset: Charset, want: string) => {
    const body = Buffer.concat([Buffer.from(head!), Buffer.from(bytes), Buffer.from(tail!)])
    assert.equal(firstInfo(readThrice(body, { charset })).name, want, charset)
  }
  f([0x80, 0x93, 0x99, 0x9f, 0xa4, 0xe9], "windows-1252", "€“™Ÿ¤é")
  f([0xa4, 0xa6, 0xbd, 0xbe, 0xe9], "iso-8859-15", "€ŠœŸé")
  f([0x80, 0xa4, 0xe9], "iso-8859-1", "\x80¤é")
})
