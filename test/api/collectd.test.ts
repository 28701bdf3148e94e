/** collectd's own JSON, as its plugin write_http posts it (C4). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { gzipSync } from "node:zlib"
import { errorOf, samples } from "../support/server/responses.ts"
import { useAccount } from "../support/server/server.ts"

const client = useAccount()
const seconds = Math.floor(Date.now() / 1000) - 60
const metric = "collectd_interface_if_octets_rx_total.interface-eth0"

function list(rx: number | null, members: object = {}) {
  return {
    values: [rx, 20],
    dstypes: ["derive", "derive"],
    dsnames: ["rx", "tx"],
    time: seconds,
    interval: 10.0,
    host: "web-01",
    plugin: "interface",
    plugin_instance: "eth0",
    type: "if_octets",
    type_instance: "",
    ...members,
  }
}

const json = { "content-type": "application/json", "x-service-api-options": "SEND_RESPONSE_BODY" }

function post(body: unknown, headers = {}, bytes: string | Buffer = JSON.stringify(body)) {
  const path = `/ingest/collectd/${client().apiKey}`
  return client().send(path, { method: "POST", headers: { ...json, ...headers }, body: bytes })
}

const stored = async () =>
  (await samples(client(), { element: "web-01", metric }, { rollup: "ZERO" })).map(
    ({ data, timestamp }) => [Date.parse(timestamp) / 1000 - seconds, data["val"]],
  )

test("value lists are stored, and those without an observation reported", async () => {
  const reply = await post([list(10), list(30, { time: seconds + 10.5 }), list(null)])
  assert.equal(reply.status, 202, reply.text)
  const { detail } = reply.json<{ detail: string }>()
  assert.equal(detail, "1 elements received; 1 sample was left out")
  assert.deepEqual(await stored(), [
    [0, 10],
    [10.5, 30],
  ])
})

test("a 400 names the invalid value lists; the valid ones of the post are stored", async () => {
  const reply = await post([list(50, { time: seconds + 20 }), list(1, { time: 1 })])
  assert.equal(reply.status, 400, reply.text)
  const { detail, errors } = errorOf(reply)
  assert.equal(detail, "Some Samples Were Refused")
  assert.match(
    errors[0]!,
    /^Value list 1: time 1, in epoch seconds: .* outside the accepted period/,
  )
  assert.deepEqual((await stored()).at(-1), [20, 50])
})

/** As write_http sends it with `Notifications true`. */
function notification(severity: string, members: object = {}) {
  return {
    labels: {
      alertname: "collectd_interface_if_octets",
      instance: "web-01",
      interface: "eth0",
      severity,
      service: "collectd",
    },
    annotations: { summary: `if_octets is ${severity}`, DataSource: "rx" },
    startsAt: `${new Date(seconds * 1000).toISOString().slice(0, 19)}.123456789Z`,
    ...members,
  }
}

interface EventAnswer {
  readonly [field: string]: unknown
}

const events = async () => {
  const reply = await client().get("/elements/web-01/events")
  return reply.json<{ events: EventAnswer[] }>().events
}

test("notifications are events of the same host, and the same ones if sent again", async () => {
  const body = [notification("FAILURE")]
  for (const reply of [
    await post(body),
    await post(body),
    await post(body, { "content-encoding": "gzip" }, gzipSync(JSON.stringify(body))),
    await post([list(70, { time: seconds + 30 }), ...body]),
  ]) {
    assert.equal(reply.status, 202, reply.text)
    assert.match(reply.text, /"[01] elements and 1 events received"/)
  }
  assert.deepEqual((await stored()).at(-1), [30, 70])
  const [event, ...others] = await events()
  assert.equal(others.length, 0)
  const { title, source, category, timestamp, elementFqn, eventTags, data } = event!
  assert.deepEqual([title, source, elementFqn], ["if_octets is FAILURE", "collectd", "web-01"])
  assert.equal((category as { name: string }).name, "CRITICAL")
  assert.equal(Date.parse(String(timestamp)), seconds * 1000 + 123)
  assert.deepEqual(eventTags, body[0]!.labels)
  const { message, DataSource } = data as Record<string, string>
  assert.deepEqual([message, DataSource], ["if_octets is FAILURE", "rx"])
})

test("a 400 names the invalid notifications; the valid ones of the post are stored", async () => {
  const bad = notification("WARNING", { startsAt: "yesterday" })
  const reply = await post([notification("OKAY"), bad, list(80, { time: seconds + 40 })])
  assert.equal(reply.status, 400, reply.text)
  const { detail, errors } = errorOf(reply)
  assert.equal(detail, "Some Samples or Events Were Refused")
  assert.equal(errors.length, 1)
  assert.match(errors[0]!, /^Notification 1: startsAt "yesterday": expected/)
  const names = (await events()).map(({ category }) => (category as { name: string }).name)
  assert.deepEqual(names.toSorted(), ["CRITICAL", "INFO"])
  assert.deepEqual((await stored()).at(-1), [40, 80])
})

test("a lower value of a COUNTER is a wrap, one of a DERIVE a restart", async () => {
  const increaseOf = async (dstype: string) => {
    const host = `router-${dstype}`
    const one = (rx: number, agoSeconds: number) =>
      list(rx, { host, dstypes: [dstype, dstype], time: seconds - agoSeconds })
    assert.equal((await post([one(4294967000, 300), one(200, 0)])).status, 202)
    const cycles = await samples(client(), { element: host, metric }, { rollup: "PT5M" })
    return cycles.map(({ data }) => data["actual"])
  }
  assert.deepEqual(await increaseOf("counter"), [undefined, 496])
  assert.deepEqual(await increaseOf("derive"), [undefined, 200])
})

test("our own JSON is taken under the same path", async () => {
  const reply = await post([{ id: "own", samples: [] }])
  assert.equal(reply.status, 202)
})
