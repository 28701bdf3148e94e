import assert from "node:assert/strict"
import { test } from "node:test"
import { leftOutReasons } from "../../src/ingest/ingest.ts"
import { element, nowMs, Reading, sample } from "./reading.ts"

const good = `{"metricId":"good","timestamp":${nowMs},"val":1}`
const odd = (members: string, metric = "odd") =>
  `{"metricId":"${metric}","timestamp":${nowMs},${members}}`
const bodyOf = (...samples: string[]) => `[{"id":"srv-1","samples":[${samples.join(",")}]}]`

/** Reads a body three times with the scanner, and once without it; all must agree. */
function read(body: string | Uint8Array, charset: "none" | "utf-16" = "none") {
  const slow = new Reading({ scanner: false })
  const warm = new Reading()
  const outcome = slow.read(body, { charset })
  const samples = slow.samples()
  for (let i = 0; i < 3; i++) {
    warm.columns.clear()
    assert.deepEqual(warm.read(body, { charset }), outcome)
    assert.deepEqual(warm.samples(), samples)
    assert.deepEqual(warm.known(), slow.known())
  }
  return { outcome, samples, reader: warm.reader, catalogue: slow.catalogue }
}

function countsOf(outcome: ReturnType<Reading["read"]>) {
  assert.ok(outcome.ok)
  const { total = 0, counts = [] } = outcome.leftOut ?? {}
  const byReason = leftOutReasons.map((reason, i) => [reason, counts[i]] as const)
  return { total, ...Object.fromEntries(byReason.filter(([, count]) => (count ?? 0) > 0)) }
}

test("a sample without an observation is left out, and the rest of its post is stored", () => {
  const f = (members: string, reason: string, told: string) => {
    const { outcome, samples, reader } = read(bodyOf(good, odd(members), good))
    assert.deepEqual(countsOf(outcome), { total: 1, [reason]: 1 }, members)
    assert.equal(samples.length, 2)
    const warning = `Element 0 "srv-1", metric "odd", sample 1: ${told} is no observation`
    assert.ok(outcome.ok)
    assert.deepEqual(outcome.leftOut?.warnings, [warning])
    return reader
  }
  const fast = (...row: Parameters<typeof f>) => assert.equal(f(...row).parsedBodies, 0, row[0])

  fast('"val":NaN', "nan", "val NaN")
  fast('"val":"NaN"', "nan", "val NaN")
  fast('"val":Infinity', "infinity", "val Infinity")
  fast('"val":"Infinity"', "infinity", "val Infinity")
  fast('"val":-Infinity', "infinity", "val -Infinity")
  fast('"val":"-Infinity"', "infinity", "val -Infinity")
  fast('"val":null', "null", "val null")
  fast('"avg":null,"cnt":null,"max":null,"min":null,"sum":null,"val":null', "null", "val null")
  fast('"val":{"bin_10":3,"bin_50":1}', "object", 'val {"bin_10":3,"bin_50":1}')
  fast('"val":[1,2]', "object", "val [1,2]")
  fast(`"val":[${"1,".repeat(99)}1]`, "object", "val a list of 100")
  fast('"max":NaN,"val":{}', "object", "val {}")
  fast('"val":null,"max":Infinity', "infinity", "max Infinity")
  f('"val":1e400', "infinity", "val Infinity")
  f('"val":-1e400', "infinity", "val -Infinity")
  f('"val":" 1e400"', "infinity", "val 1e400")
  f('"min":-1e999,"max":1', "infinity", "min -Infinity")
  f('"val":""', "null", 'val ""')
  f('"val":" NaN "', "nan", "val NaN")
  f('"v\\u0061l":NaN', "nan", "val NaN")
})

test("finite aggregates are kept if they are meaningful without the others", () => {
  const keeps = (members: string, fields: object) => {
    const { outcome, samples } = read(bodyOf(odd(members)))
    assert.deepEqual(countsOf(outcome), { total: 0 }, members)
    const [{ fields: kept, value } = {}] = samples
    assert.deepEqual(kept ?? { val: value }, fields, members)
  }
  keeps('"val":NaN,"min":1,"max":3,"avg":2,"cnt":2,"sum":4', {
    min: 1,
    max: 3,
    avg: 2,
    cnt: 2,
    sum: 4,
  })
  keeps('"min":NaN,"max":{},"avg":2,"cnt":2,"sum":4', { avg: 2, cnt: 2, sum: 4 })
  keeps('"val":5,"avg":NaN,"sum":"NaN"', { val: 5 })
  keeps('"val":5,"max":1e400', { val: 5 })
  keeps('"avg":NaN,"sum":6,"cnt":3', { sum: 6, cnt: 3 })
  keeps('"avg":2,"cnt":NaN', { avg: 2 })
  keeps('"min":1,"max":3,"avg":2,"cnt":Infinity', { min: 1, max: 3, avg: 2 })

  const leaves = (members: string, reason: string) =>
    assert.deepEqual(countsOf(read(bodyOf(good, odd(members))).outcome), { total: 1, [reason]: 1 })
  leaves('"val":NaN,"cnt":3', "nan")
  leaves('"min":1,"max":3,"avg":NaN,"cnt":3', "nan")
  leaves('"min":1,"max":Infinity', "infinity")
  leaves('"sum":6,"cnt":NaN', "nan")
  leaves('"avg":2,"sum":6,"cnt":NaN', "nan")
  leaves('"min":Infinity,"max":-Infinity,"avg":NaN,"cnt":0,"sum":0', "infinity")
})

test("a left-out sample is checked like any other, except for its value", () => {
  const f = (body: string, want: RegExp) => {
    const { outcome } = read(body)
    assert.ok(!outcome.ok, body)
    assert.match(outcome.errors[0]!, want)
  }
  f(bodyOf(good, `{"metricId":"odd","timestamp":1,"val":NaN}`), /outside the accepted period/)
  f(bodyOf(good, `{"metricId":"odd","val":NaN}`), /Missing required field on Sample/)
  f(bodyOf(good, `{"timestamp":${nowMs},"val":NaN}`), /Missing required field 'metricId'/)
  f(bodyOf(good, `{"metricId":"/","timestamp":${nowMs},"val":null}`), /metricId "\/" holds none/)
  f(bodyOf(good, odd('"val":NaN,"cnt":-1')), /cnt -1 is not a count/)
  f(bodyOf(good, odd('"val":NaN,"max":true')), /max true is not a finite number/)
  f(bodyOf(good, odd('"val":{},"max":"x"')), /max "x" is not a finite number/)
  f(bodyOf(good, odd('"value":NaN')), /Could not read JSON/)
  f(bodyOf(good, odd('"value":1')), /at least one of val/)
})

test("bare NaN and Infinity are accepted as values of samples only", () => {
  const f = (body: string) => {
    const { outcome } = read(body)
    assert.ok(!outcome.ok, body)
    assert.equal(outcome.detail, "Error Parsing JSON Request", body)
  }
  const val = '"val":NaN'
  f("NaN")
  f("[NaN]")
  f(`[{${val}}]`)
  f(`[{"samples":NaN}]`)
  f(`[{"id":"a","samples":[NaN]}]`)
  f(`[{"id":"a","sample":[{${val}}]}]`)
  f(`[{"id":"a","x":{"samples":[{${val}}]}}]`)
  f(`[{"id":"a","x":[{"samples":[{${val}}]}]}]`)
  f(`[{"id":"a","metrics":[{${val}}]}]`)
  f(`[{"id":"a","samples":[],"tags":[{${val}}]}]`)
  f(`{"id":"a","samples":[{${val}}]}`)
  f(bodyOf(`{"metricId":"a","timestamp":Infinity,${val}}`))
  f(bodyOf(`{"metricId":NaN,"timestamp":${nowMs},${val}}`))
  f(bodyOf(odd('"host":NaN,"val":1')))
  f(bodyOf(odd('"val":{"a":NaN}')))
  f(bodyOf(odd('"val":[NaN]')))
  f(bodyOf(odd('"val":1,NaN:2')))
  f(bodyOf(odd('NaN:"val"')))
  f(bodyOf(odd('"val":-NaN')))
  f(bodyOf(odd('"val":+Infinity')))
  f(bodyOf(odd('"val":NaNs')))
  f(bodyOf(odd('"val":nan')))
  f(bodyOf(odd('"val":"NaN')))
  f(bodyOf(odd('"val":NaN,')))
})

test("strings that contain these words, and other charsets, are read correctly", () => {
  const name = 'NaN","samples":[{"val":NaN \\" Infinity'
  const listed = `"samples":[${good},${odd('"val":NaN')}]`
  const text = `[{"id":"srv-1","name":${JSON.stringify(name)},${listed}}]`
  const { outcome, catalogue } = read(text)
  assert.deepEqual(countsOf(outcome), { total: 1, nan: 1 })
  assert.equal(catalogue.elementInfo(0).name, name)
  const wide = Buffer.from(`\ufeff${text}`, "utf16le")
  assert.deepEqual(countsOf(read(wide, "utf-16").outcome), { total: 1, nan: 1 })
})

test("a metric with left-out samples only is not created; a declared one is", () => {
  const metrics = '"metrics":[{"id":"declared"}]'
  const { catalogue, outcome } = read(
    `[{"id":"srv-1",${metrics},"samples":[${odd('"val":NaN', "declared")},${odd('"val":NaN')}]}]`,
  )
  assert.deepEqual(countsOf(outcome), { total: 2, nan: 2 })
  const names = Array.from({ length: catalogue.nameCount }, (_, i) => catalogue.name(i).fqn)
  assert.deepEqual(names, ["declared"])
  assert.equal(catalogue.elementCount, 1)
})

test("at most 20 are listed, and none unless the client asks", () => {
  const body = bodyOf(...Array.from({ length: 30 }, () => odd('"val":NaN')))
  const { outcome } = read(body)
  assert.ok(outcome.ok)
  assert.equal(outcome.leftOut?.total, 30)
  assert.equal(outcome.leftOut.warnings.length, 20)
  assert.match(outcome.leftOut.warnings[19]!, /sample 19: val NaN/)
  const untold = new Reading().read(body, { reportsLeftOut: false })
  assert.ok(untold.ok)
  assert.deepEqual([untold.leftOut?.total, untold.leftOut?.warnings], [30, []])
})

test("the samples that one body left out are not reported for the next", () => {
  const reading = new Reading()
  assert.equal(countsOf(reading.read(bodyOf(good, odd('"val":NaN')))).total, 1)
  assert.equal(countsOf(reading.read(bodyOf(good))).total, 0)
})

test("left-out samples do not send the others to the reference parser", () => {
  const reading = new Reading()
  const ids = Array.from({ length: 12 }, (_, i) => `m${i}`)
  for (let post = 0; post < 60; post++) {
    const samples = ids.map((metricId, i) =>
      i % 4 === 3 ? odd('"val":NaN', metricId) : JSON.stringify(sample({ metricId, val: post })),
    )
    reading.columns.clear()
    const metrics = JSON.stringify(ids.map((id) => ({ id })))
    assert.ok(reading.read(`[{"id":"a","metrics":${metrics},"samples":[${samples.join(",")}]}]`).ok)
    assert.equal(reading.columns.count, 9)
  }
  assert.equal(reading.reader.parsedBodies, 0)
})

test("a body with left-out samples only is accepted", () => {
  const { outcome, samples } = read(JSON.stringify([element({ samples: [sample({ val: null })] })]))
  assert.ok(outcome.ok)
  assert.deepEqual([outcome.elements, outcome.samples, samples.length], [1, 0, 0])
})
