/** collectd's own JSON, as its plugin write_http posts it (C4). */

import assert from "node:assert/strict"
import { test } from "node:test"
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

function post(body: unknown) {
  const path = `/ingest/collectd/${client().apiKey}`
  return client().send(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-api-options": "SEND_RESPONSE_BODY" },
    body: JSON.stringify(body),
  })
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

test("our own JSON is taken under the same path", async () => {
  const reply = await post([{ id: "own", samples: [] }])
  assert.equal(reply.status, 202)
})
