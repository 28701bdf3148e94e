/** POST /ingest: option headers and encodings (spec/ingest §3); http/node-handler has the rest. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { gzipSync } from "node:zlib"
import type { OutgoingHttpHeaders } from "node:http"
import { element, samples } from "../support/server/responses.ts"
import { useServer } from "../support/server/server.ts"
import { Wire } from "../http/ingest-fixture.ts"

const client = useServer()
const nowMs = Date.now()

let elements = 0

/** Sends one element with a name of its own; gives that name. */
async function taken(
  encode: (text: string) => Uint8Array,
  headers: OutgoingHttpHeaders,
): Promise<string> {
  const id = `t${elements++}`
  const point = { metricId: "m", timestamp: nowMs, val: 1 }
  const body = encode(JSON.stringify([{ id, type: "T", location: "Zürich", samples: [point] }]))
  const reply = await client().ingest(body, headers)
  assert.equal(reply.status, 202, `${JSON.stringify(headers)}: ${reply.text}`)
  return id
}

test("SEND_RESPONSE_BODY returns the number of elements, under each header name", async () => {
  const names = ["X-Service-Api-Options", "X-Netuitive-Api-Options", "X-Metricly-Api-Options"]
  for (const name of names) {
    const body = [{ id: "a" }, { id: "b" }, { id: "c" }]
    const reply = await client().ingest(body, { [name]: "SEND_RESPONSE_BODY" })
    assert.equal(reply.status, 202)
    const answer = reply.json<{ serverTimestamp: number; iso8601DateTime: string }>()
    const { serverTimestamp, iso8601DateTime } = answer
    const words = { status: 202, message: "ACCEPTED", detail: "3 elements received" }
    assert.deepEqual(answer, { ...words, serverTimestamp, iso8601DateTime })
    assert.equal(new Date(serverTimestamp).toISOString(), iso8601DateTime)
  }
})

test("samples without an observation are left out, reported and counted", async () => {
  const id = "left-out"
  const time = nowMs - 60_000
  const odd = (val: string) => `{"metricId":"h","timestamp":${time},"val":${val}}`
  const sent = [odd("NaN"), odd('{"bin_10":3}'), odd("null"), odd("-Infinity")].join(",")
  const body = `[{"id":"${id}","samples":[{"metricId":"m","timestamp":${time},"val":7},${sent}]}]`
  const reply = await client().ingest(body, { "X-Service-Api-Options": "SEND_RESPONSE_BODY" })
  assert.equal(reply.status, 202, reply.text)
  const { detail, warnings } = reply.json<{ detail: string; warnings: string[] }>()
  assert.equal(detail, "1 elements received; 4 samples were left out")
  assert.equal(warnings.length, 4)
  assert.equal(
    warnings[1],
    'Element 0 "left-out", metric "h", sample 2: val {"bin_10":3} is no observation',
  )
  const [one] = await samples(client(), { element: id, metric: "m" }, { rollup: "ZERO" })
  assert.deepEqual(one!.data, { val: 7 })
  const { text } = await client().send("/metrics/internal")
  for (const reason of ["nan", "infinity", "null", "object"]) {
    assert.ok(text.includes(`tidegauge_samples_left_out_total{reason="${reason}"} 1\n`), reason)
  }
})

test("a bare [] is accepted as 0 elements", async () => {
  const reply = await client().ingest([], { "X-Service-Api-Options": "SEND_RESPONSE_BODY" })
  assert.equal(reply.status, 202)
  assert.equal(reply.json<{ detail: string }>().detail, "0 elements received")
})

test("INJECT_TIMESTAMP puts the server's time in place of whatever was sent", async () => {
  const f = async (id: string, timestamp: unknown) => {
    const beforeMs = Date.now()
    const body = [{ id, type: "T", samples: [{ metricId: "m", timestamp, val: 1 }] }]
    const options = "SEND_RESPONSE_BODY, inject_timestamp"
    const reply = await client().ingest(body, { "X-Netuitive-Api-Options": options })
    assert.equal(reply.status, 202, reply.text)
    const of = { element: id, metric: "m" }
    const window = { startTime: beforeMs - 1000, endTime: Date.now() + 1000 }
    const [one] = await samples(client(), of, { rollup: "ZERO", ...window })
    const timeMs = Date.parse(one!.timestamp)
    assert.ok(timeMs >= beforeMs && timeMs <= Date.now(), one!.timestamp)
  }

  await f("injected-1", undefined)
  await f("injected-2", 0)
  await f("injected-3", nowMs - 3_600_000)
})

test("equal samples with the server's time are as many as were posted", async () => {
  const body = JSON.stringify([{ id: "hits", samples: [{ metricId: "m", val: 1 }] }])
  const { url, apiKey } = client()
  const head = `POST /ingest/${apiKey} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n`
  const wire = new Wire(Number(new URL(url).port))
  const beforeMs = Date.now()
  wire.write(`${head}X-Netuitive-Api-Options: INJECT_TIMESTAMP\r\n\r\n${body}`.repeat(10))
  await wire.until(() => wire.statuses.length === 10)
  wire.socket.destroy()
  assert.deepEqual(new Set(wire.statuses), new Set([202]))
  const window = { startTime: beforeMs - 1000, endTime: Date.now() + 1000 }
  const of = { element: "hits", metric: "m" }
  assert.equal((await samples(client(), of, { rollup: "ZERO", ...window })).length, 10)
})

test("text is read as UTF-8, UTF-16 with its mark, or ISO-8859-1, compressed too", async () => {
  const f = async (
    encode: (text: string) => Uint8Array,
    contentType: string,
    headers: OutgoingHttpHeaders = {},
  ) => {
    const id = await taken(encode, { "content-type": contentType, ...headers })
    assert.equal((await element(client(), id))!.location, "Zürich", contentType)
  }
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")
  const utf16BigEndian = (text: string) => utf16(text).swap16()
  const latin1 = (text: string) => Buffer.from(text, "latin1")

  await f(Buffer.from, "application/json")
  await f((text) => Buffer.from(`\ufeff${text}`), "application/json")
  await f(utf16, "application/json")
  await f(utf16, "application/json; charset=utf-16")
  await f(utf16BigEndian, 'application/json; charset="UTF-16"')
  await f(latin1, "application/json; charset=ISO-8859-1")
  await f(latin1, "application/json")
  await f((text) => gzipSync(latin1(text)), "application/json", { "content-encoding": "gzip" })
})
