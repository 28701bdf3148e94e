import assert from "node:assert/strict"
import { test } from "node:test"
import { element, nowMs, Reading, sample } from "./reading.ts"

/** Refuses `body` after a valid one, and asserts that nothing of it was kept. */
function refuse(
  body: unknown,
  options: Parameters<Reading["read"]>[1] = {},
): { detail: string; errors: string[] } {
  const reading = new Reading()
  assert.ok(reading.read([element()]).ok)
  assert.ok(reading.read([element()]).ok)
  const before = { samples: reading.samples(), known: reading.known() }
  const { requestCount } = reading.columns
  const outcome = reading.read(body, options)
  assert.ok(!outcome.ok, `Expected a refusal of ${JSON.stringify(body)}`)
  assert.deepEqual({ samples: reading.samples(), known: reading.known() }, before)
  assert.equal(reading.columns.requestCount, requestCount)
  return outcome
}

test("read() refuses invalid JSON and says so", () => {
  const f = (body: string | Uint8Array, charset: "none" | "utf-8" | "utf-16" = "none") => {
    const { detail, errors } = refuse(body, { charset })
    assert.equal(detail, "Error Parsing JSON Request")
    assert.match(errors[0]!, /^Could not read JSON: /)
  }

  f("")
  f("[")
  f("[{]")
  f('[{"id":"a",}]')
  f('[{"id":"a"}] x')
  f("[{'id':'a'}]")
  f('[{"id":"srv-1","type":"SERVER","samples":[{"metricId":"cpu","timestamp":1,"val":01}]}]')
  f('[{"id":"srv-1","type":"SERVER","samples":[{"metricId":"cpu","timestamp":NaN,"val":1}]}]')
  f('[{"id":"a\u0000"}]')
  f("[".repeat(1000))
  f("[".repeat(1000) + "]".repeat(1000))
  f(`[{"id":"a","x":${"[".repeat(31)}${"]".repeat(31)}}]`)
  f(Buffer.from('[{"id":"\xe4"}]', "latin1"), "utf-8")
  f(Buffer.from('[{"id":"a"}]'.slice(0, -1)), "utf-16")
})

test("read() ignores brackets in strings when it counts nesting", () => {
  const f = (text: string) => assert.ok(new Reading().read(text).ok)

  f(`[{"id":"a","x":${"[".repeat(30)}${"]".repeat(30)}}]`)
  f(`[{"id":"a","name":"${"[".repeat(100)}"}]`)
  f(String.raw`[{"id":"a","name":"\\\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}]`)
})

test("read() refuses invalid values, with their position and value", () => {
  const f = (body: unknown, want: RegExp) => {
    const { detail, errors } = refuse(body)
    assert.equal(detail, "Input Validation Failed")
    assert.match(errors[0]!, want)
    assert.equal(errors.length, 1)
  }
  const withSample = (members: object) => [
    element(),
    element({ samples: [sample(), sample(members)] }),
  ]

  f({}, /no array of elements: {}/)
  f("null", /no array/)
  f('"x"', /no array/)
  f([null], /^Element 0: null is no element/)
  f([[]], /^Element 0: \[\] is no element/)
  f([{}], /^Element 0: Missing required field 'id'/)
  f([{ id: null }], /Missing required field 'id'/)
  f([{ id: "" }], /Missing required field 'id'/)
  f([{ id: "ä/:" }], /^Element 0 "ä\/:": id "ä\/:" holds none/)
  f([{ id: {} }], /id {} is not a text/)
  f([{ id: "x".repeat(513) }], /513 characters, at most 512/)
  f([{ id: "a", name: {} }], /^Element 0 "a": name {} is not a text/)
  f([{ id: "a", type: "x".repeat(4097) }], /type has 4097 characters/)
  f([{ id: "a", tags: "x" }], /tags "x" is not a list/)
  f([{ id: "a", tags: [{ value: "x" }] }], /an entry of tags has no name: {"value":"x"}/)
  f([{ id: "a", tags: [null] }], /an entry of tags has no name: null/)
  f(
    [{ id: "a", attributes: [{ name: "x", value: [] }] }],
    /attributes value of "x" \[\] is not a text/,
  )
  f([{ id: "a", tags: Array(257).fill({ name: "x" }) }], /257 tags are given, at most 256/)
  f([{ id: "a", relations: Array(257).fill("x") }], /257 relations/)
  f([{ id: "a", relations: {} }], /relations {} is not a list/)
  f([{ id: "a", metrics: {} }], /metrics {} is not a list/)
  f([{ id: "a", metrics: [{ unit: "s" }] }], /Missing required field 'id'/)
  f([{ id: "a", metrics: ["m"] }], /entry of metrics is no object: "m"/)
  f([{ id: "a", samples: {} }], /samples {} is not a list/)
  f([{ id: "a", samples: [null] }], /^Element 0 "a", sample 0: null is no sample/)
  f(
    withSample({ metricId: undefined }),
    /^Element 1 "srv-1", sample 1: Missing required field 'metricId'/,
  )
  f(withSample({ metricId: "/" }), /metricId "\/" holds none/)
  f(withSample({ val: undefined }), /metric "cpu", sample 1: at least one of val, min/)
  f(
    withSample({ val: undefined, value: 1 }),
    /at least one of .* is needed; its keys are "metricId", "timestamp", "value"$/,
  )
  const long = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}${"k".repeat(99)}`, 1]))
  f(withSample({ val: undefined, ...long }), /"0k{78}…, .* and 3 more$/)
  f(
    withSample({ val: "12,5" }),
    /^Element 1 "srv-1", metric "cpu", sample 1: val "12,5" is not a fin/,
  )
  f(withSample({ val: "0x10" }), /val "0x10" is not/)
  f(withSample({ val: "nan" }), /val "nan" is not/)
  f(withSample({ val: true }), /val true is not/)
  f(withSample({ cnt: -1 }), /cnt -1 is not a count/)
  f(withSample({ cnt: 2 ** 53 + 2 }), /cnt 9007199254740994 is not a count/)
})

test("read() refuses a missing timestamp and mentions the option that replaces it", () => {
  const f = (timestamp: unknown) => {
    const { errors } = refuse([element({ samples: [sample({ timestamp })] })])
    assert.equal(
      errors[0],
      "Missing required field on Sample, 'timestamp'. Send it, or send the header " +
        "X-Service-Api-Options: INJECT_TIMESTAMP, which gives every sample the server's time. " +
        '(element 0 "srv-1", metric "cpu", sample 0)',
    )
  }

  f(undefined)
  f(null)
  f("")
})

test("read() refuses a timestamp that is invalid or outside of the accepted period", () => {
  const f = (timestamp: unknown, want: RegExp) =>
    assert.match(refuse([element({ samples: [sample({ timestamp })] })]).errors[0]!, want)

  f("2026-11-21T00:00:00 EDT", /Cannot read timestamp "2026-11-21T00:00:00 EDT"/)
  f("2026-11-21T00:00:00EDT", /Cannot read timestamp/)
  f("2026-11-21T00:00:00", /Cannot read timestamp/)
  f("2026-02-30T00:00:00Z", /Cannot read timestamp/)
  f("yesterday", /Cannot read timestamp "yesterday"/)
  f(true, /Cannot read timestamp true/)
  f({}, /Cannot read timestamp {}/)
  f(
    nowMs - 14 * 86_400_000 - 1,
    /outside the accepted period 2026-11-07T00:00:00.000Z to 2026-11-21T00:05:00.000Z$/,
  )
  f(nowMs + 300_001, /outside the accepted period/)
  f(nowMs / 1000, /outside .*it seems to be in epoch seconds: multiply it by 1000/)
  f(`${nowMs / 1000}`, /epoch seconds/)
  f(nowMs * 1000, /epoch microseconds: divide it by 1000$/)
  f(`${nowMs * 1e6}`, /epoch nanoseconds: divide it by 1000000$/)
  f("1970-01-21T02:40:19.200Z", /outside/)
  f(-1, /outside/)
  f(9e99, /outside/)
})

test("read() returns at most 20 errors, the last of which counts the omitted ones", () => {
  const f = (bad: number, length: number, last: RegExp) => {
    const { errors } = refuse([element({ samples: Array(bad).fill({ metricId: "x" }) })], {
      injectTimestamp: true,
    })
    assert.equal(errors.length, length)
    assert.match(errors.at(-1)!, last)
  }

  f(19, 19, /sample 18: at least/)
  f(20, 20, /sample 19: at least/)
  f(21, 20, /^… and 2 more problems$/)
  f(1000, 20, /^… and 981 more problems$/)
})

test("read() refuses tags that exceed their limit only after the merge with known ones", () => {
  const reading = new Reading()
  const tags = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `t${from + i}`, value: "x" }))
  assert.ok(reading.read([element({ tags: tags(0, 200) })]).ok)
  assert.ok(!reading.read([element({ tags: tags(200, 57) })]).ok)
  assert.ok(!reading.read([element({ tags: tags(200, 30) }), element({ tags: tags(230, 30) })]).ok)
  assert.ok(reading.read([element({ tags: tags(200, 56) })]).ok)
  assert.equal(reading.catalogue.elementInfo(0).tags.length, 256)

  const metrics = (from: number, count: number) => [{ id: "cpu", tags: tags(from, count) }]
  assert.ok(reading.read([element({ metrics: metrics(0, 200) })]).ok)
  assert.ok(!reading.read([element({ metrics: metrics(200, 57) })]).ok)
})

test("read() cuts long values in messages", () => {
  const { errors } = refuse([element({ samples: [sample({ val: "9".repeat(100_000) })] })])
  assert.ok(errors[0]!.length < 300)

  const large = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, [i]]))
  const samples = Array(50).fill({})
  const { errors: both } = refuse([{ id: large, samples }])
  assert.match(both[0]!, /^Element 0 an object of 1000 members: id an object of 1000 members is/)
})
