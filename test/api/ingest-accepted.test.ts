/**
 * POST /ingest: what has a clear meaning is accepted, whatever its form (spec/ingest §1,
 * spec/names §2, spec/time §2).
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import { element, samples } from "../support/server/responses.ts"
import { useAccount } from "../support/server/server.ts"

const client = useAccount()
const recentMs = Math.floor(Date.now() / 1000) * 1000 - 60_000

let elements = 0

/** Posts one element under a fresh id and returns its raw samples as the server lists them. */
async function stored(body: Record<string, unknown>, metric = "m") {
  const id = `e${elements++}`
  const reply = await client().ingest([{ id, type: "SERVER", ...body }])
  assert.equal(reply.status, 202, reply.text)
  assert.equal(reply.text, "")
  return samples(client(), { element: id, metric }, { rollup: "ZERO", duration: "P14D" })
}

function sample(fields: Record<string, unknown> = {}): { samples: unknown[] } {
  return { samples: [{ metricId: "m", timestamp: recentMs, val: 1, ...fields }] }
}

test("a value is taken as a number or as a numeric text", async () => {
  const f = async (val: unknown, want: number) => {
    const [one] = await stored(sample({ val }))
    assert.deepEqual(one!.data, { val: want })
  }

  await f(1.5, 1.5)
  await f("12.0", 12)
  await f("1.2E11", 1.2e11)
  await f(-0.1, -0.1)
  await f(1e-300, 1e-300)
  await f(0, 0)
})

test("a timestamp is taken in every documented form", async () => {
  const f = async (timestamp: unknown) => {
    const [one] = await stored(sample({ timestamp }))
    assert.equal(one!.timestamp, new Date(recentMs).toISOString())
  }
  const iso = new Date(recentMs).toISOString()
  const seconds = iso.slice(0, 19)

  await f(recentMs)
  await f(String(recentMs))
  await f(iso)
  await f(`${seconds}Z`)
  await f(`${seconds}.000+0000`)
  await f(`${seconds}+00:00`)
  await f(`${seconds}+00`)
  await f(new Date(recentMs - 5 * 3_600_000).toISOString().replace(".000Z", "-0500"))
  await f(new Date(recentMs + 5.5 * 3_600_000).toISOString().replace("Z", "+05:30"))
})

test("null and the empty text are absent, in every optional field", async () => {
  const nothing = {
    name: null,
    type: null,
    location: "",
    tags: null,
    attributes: [],
    relations: null,
  }
  const metric = { id: "m", name: "", unit: "", type: "", sparseDataStrategy: null, tags: null }
  const nulls = { min: null, max: null, avg: null, cnt: null, sum: null }
  const [one] = await stored({ ...nothing, metrics: [metric], ...sample(nulls) })
  assert.deepEqual(one!.data, { val: 1 })
})

test("absent, null and empty metrics and samples are a post of metadata only", async () => {
  const f = async (body: Record<string, unknown>) => {
    const reply = await client().ingest([{ id: "metadata", type: "SERVER", ...body }])
    assert.equal(reply.status, 202, reply.text)
  }

  await f({})
  await f({ metrics: null, samples: null })
  await f({ metrics: [], samples: [] })
  await f({ attributes: [{ name: "cpus", value: 8 }] })
  await f({ attributes: [{ name: "virtual", value: true }] })
  const found = await element(client(), "metadata")
  assert.deepEqual(
    found!.attributes.map(({ name, value }) => [name, value]),
    [
      ["cpus", "8"],
      ["virtual", "true"],
    ],
  )
})

test("a metric that was not declared is created, and an unknown type or unit is kept", async () => {
  assert.equal((await stored(sample())).length, 1)
  const metrics = [{ id: "m", type: "GAUGE", unit: "furlongs per fortnight" }]
  const id = `e${elements}`
  assert.equal((await stored({ metrics, ...sample() })).length, 1)
  assert.equal((await element(client(), id))!.metrics[0]!.unit, "furlongs per fortnight")
})

test("a missing type of an element is stored as unknown", async () => {
  const f = async (id: string, body: Record<string, unknown>) => {
    assert.equal((await client().ingest([{ id, ...body }])).status, 202)
    assert.equal((await element(client(), id))!.type, "unknown")
  }

  await f("typeless-1", {})
  await f("typeless-2", { type: "" })
  await f("typeless-3", { type: null })
})

test("unknown properties are ignored and the rest is stored", async () => {
  const more = { surprise: { deep: [1, { x: null }] } }
  const [one] = await stored({ ...more, metrics: [{ id: "m", ...more }], ...sample(more) })
  assert.deepEqual(one!.data, { val: 1 })
})

test("ids are cleaned: a space becomes _, other characters go, also in samples", async () => {
  const raw = "disk /dev/sda1: used%"
  const body = [
    {
      id: "my host (1)",
      type: "SERVER",
      metrics: [{ id: raw }],
      samples: [{ metricId: raw, timestamp: recentMs, val: 3 }],
    },
  ]
  assert.equal((await client().ingest(body)).status, 202)
  const of = { element: "my_host_1", metric: "disk_devsda1_used" }
  const found = await samples(client(), of, { rollup: "ZERO", duration: "PT1H" })
  assert.deepEqual(
    found.map(({ data }) => data.val),
    [3],
  )
  assert.equal((await element(client(), encodeURIComponent("my host (1)")))!.fqn, "my_host_1")
})

test("two raw ids that clean to one name are one element", async () => {
  const body = (id: string, val: number) => ({ id, type: "T", ...sample({ val }) })
  assert.equal((await client().ingest([body("a b", 1), body("a_b", 2)])).status, 202)
  const found = await samples(
    client(),
    { element: "a_b", metric: "m" },
    { rollup: "ZERO", duration: "PT1H" },
  )
  assert.deepEqual(
    found.map(({ data }) => data.val),
    [1, 2],
  )
})

test("val together with aggregates is accepted", async () => {
  const all = { val: 1, min: 0, max: 100, avg: 50, sum: 2, cnt: 3 }
  const [one] = await stored(sample(all))
  assert.equal(one!.data["cnt"], 3)
  assert.equal(one!.data["sum"], 2)
})
