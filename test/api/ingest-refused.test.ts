/** POST /ingest: what has no meaning is refused whole, with its place (spec/ingest §8). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { element, errorOf } from "../support/server/responses.ts"
import { useAccount } from "../support/server/server.ts"

const client = useAccount()
const nowMs = Date.now()

async function refused(body: unknown, detail = "Input Validation Failed") {
  const reply = await client().ingest(body)
  assert.equal(reply.status, 400, reply.text)
  const error = errorOf(reply)
  assert.equal(error.message, "BAD_REQUEST")
  assert.equal(error.detail, detail)
  return error.errors
}

function posted(sample: Record<string, unknown>) {
  const good = { metricId: "good", timestamp: nowMs, val: 1 }
  return [{ id: "host-7", type: "SERVER", samples: [good, sample] }]
}

test("a body that is no JSON is a parsing error", async () => {
  for (const body of ["", "no JSON", "[{]", '[{"id":"a"}', "[1,]", '["\u0001']) {
    await refused(body, "Error Parsing JSON Request")
  }
})

test("a body that is no array of elements is a validation error", async () => {
  await refused({ id: "host-7" })
  await refused('"text"')
  await refused("null")
  await refused([1])
  await refused([[]])
})

test("an element needs an id that is not empty after cleaning", async () => {
  await refused([{ type: "SERVER" }])
  await refused([{ id: "", type: "SERVER" }])
  await refused([{ id: null, type: "SERVER" }])
  await refused([{ id: "%%%", type: "SERVER" }])
})

test("the error names element, metric, index of the sample and the offending value", async () => {
  const f = async (fields: Record<string, unknown>, ...wants: RegExp[]) => {
    const [error] = await refused(posted({ metricId: "cpu", timestamp: nowMs, ...fields }))
    for (const want of [/host-7/, /sample 1/, ...wants]) assert.match(error!, want)
  }

  await f({ val: "much" }, /cpu/, /"much"/, /finite number/)
  await f({ val: {}, max: "x" }, /cpu/, /"x"/)
  await f({ val: true }, /cpu/)
  await f({}, /cpu/, /val, min, max, avg, cnt and sum/)
  await f({ value: 1 }, /val, min, max, avg, cnt and sum/, /"value"/)
  await f({ val: 1, metricId: "" }, /metricId/)
  await f({ val: 1, metricId: undefined }, /metricId/)
  await f({ val: 1, timestamp: "yesterday" }, /cpu/, /"yesterday"/)
  await f({ val: 1, timestamp: "2026-11-21T10:00:00 EDT" }, /EDT/)
  await f({ val: 1, timestamp: "2026-11-21T10:00:00" }, /cpu/)
})

test("a missing timestamp is refused, and the option for such samples is named", async () => {
  const [error] = await refused(posted({ metricId: "cpu", val: 1 }))
  assert.match(error!, /^Missing required field on Sample, 'timestamp'\. .*INJECT_TIMESTAMP/)
})

test("a timestamp outside the accepted period is refused; one in seconds gets a hint", async () => {
  const f = async (timestamp: unknown, want: RegExp) => {
    const [error] = await refused(posted({ metricId: "cpu", timestamp, val: 1 }))
    assert.match(error!, want)
  }

  await f(nowMs - 15 * 86_400_000, /outside the accepted period/)
  await f(nowMs + 6 * 60_000, /outside the accepted period/)
  await f(Math.floor(nowMs / 1000), /multiply it by 1000/)
  await f(0, /outside the accepted period/)
})

test("a timestamp at the edges of the accepted period is taken", async () => {
  const f = async (timestamp: number) => {
    const reply = await client().ingest([
      { id: "edges", type: "T", samples: [{ metricId: "m", timestamp, val: 1 }] },
    ])
    assert.equal(reply.status, 202, reply.text)
  }

  await f(Date.now() - 14 * 86_400_000 + 60_000)
  await f(Date.now() + 4 * 60_000)
})

test("nothing of a refused request is stored: no element, no metric, no sample", async () => {
  const good = { id: "unseen", type: "T", samples: [{ metricId: "m", timestamp: nowMs, val: 1 }] }
  await refused([good, { id: "bad", samples: [{ metricId: "m", timestamp: nowMs }] }])
  assert.equal(await element(client(), "unseen"), null)
  assert.equal(await element(client(), "bad"), null)
  assert.equal(await element(client(), "host-7"), null)
  const { fqns } = (await client().get("/metrics/fqns")).json<{ fqns: string[] }>()
  assert.ok(!fqns.includes("good"), fqns.join())
  const reply = await client().get("/metrics/statistics", { fqn: "good", rollup: "ZERO" })
  assert.deepEqual(reply.json<{ metrics: unknown[] }>().metrics, [])
})

test("at most 20 errors are listed, and the last one counts the rest", async () => {
  const bad = { metricId: "m", timestamp: nowMs, val: "x" }
  const f = async (count: number, told: number) => {
    const errors = await refused([{ id: "e", samples: Array.from({ length: count }, () => bad) }])
    assert.equal(errors.length, told)
    return errors.at(-1)!
  }

  await f(20, 20)
  assert.match(await f(21, 20), /\b2 more/)
  assert.match(await f(100, 20), /\b81 more/)
})

test("a refusal does not affect valid requests of other connections", async () => {
  const good = (i: number) => [
    { id: "crowd", type: "T", samples: [{ metricId: "m", timestamp: nowMs - i, val: i }] },
  ]
  const bad = [{ id: "crowd", samples: [{ metricId: "m", timestamp: nowMs, val: "x" }] }]
  const bodies = Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? bad : good(i)))
  const replies = await Promise.all(bodies.map((body) => client().ingest(body)))
  for (const [i, { status }] of replies.entries()) assert.equal(status, i % 4 === 0 ? 400 : 202)
  const reply = await client().get("/metrics/statistics", {
    fqn: "m",
    rollup: "ZERO",
    duration: "PT1H",
  })
  const { metrics } = reply.json<{ metrics: { statistics: { count: number } }[] }>()
  assert.ok(metrics.some(({ statistics }) => statistics.count === 30))
})
