/**
 * POST /ingest: paths, option headers, encodings and bounds of a body (spec/ingest §3,
 * spec/names §1, spec/accounts §3).
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import type { OutgoingHttpHeaders } from "node:http"
import { element, errorOf, samples } from "../support/server/responses.ts"
import { apiKey, useServer } from "../support/server/server.ts"

const bodyBytesMax = 256 * 1024
const client = useServer({ flags: ["--body-limit", "256KiB"] })
const nowMs = Date.now()

let elements = 0

/** Sends one element with a name of its own; gives that name. */
async function taken(
  encode: (text: string) => string | Uint8Array,
  {
    path = `/ingest/${apiKey}`,
    headers = {},
  }: { path?: string; headers?: OutgoingHttpHeaders } = {},
): Promise<string> {
  const id = `t${elements++}`
  const point = { metricId: "m", timestamp: nowMs, val: 1 }
  const body = encode(JSON.stringify([{ id, type: "T", location: "Zürich", samples: [point] }]))
  const reply = await client().send(path, { method: "POST", headers, body })
  assert.equal(reply.status, 202, `${path} ${JSON.stringify(headers)}: ${reply.text}`)
  return id
}

const plain = (text: string) => text

test("the key follows any kind, with or without a trailing slash or a query", async () => {
  const f = async (path: string) => {
    assert.ok(await element(client(), await taken(plain, { path })), path)
  }

  await f(`/ingest/${apiKey}`)
  await f(`/ingest/${apiKey}/`)
  await f(`/ingest/${apiKey}?x=1`)
  for (const kind of ["infrastructure", "windows", "java", "ruby", "statsd", "kubernetes"]) {
    await f(`/ingest/${kind}/${apiKey}`)
  }
  await f(`/ingest/infrastructure/${apiKey}/`)
})

test("credentials and the Content-Type do not matter with a key", async () => {
  const f = async (headers: OutgoingHttpHeaders) => {
    assert.ok(await element(client(), await taken(plain, { headers })), JSON.stringify(headers))
  }

  await f({ authorization: "Basic bm90OmtlcHQ=" })
  await f({ "content-type": "text/plain" })
  await f({ "content-type": "application/x-www-form-urlencoded" })
  await f({ "content-type": "application/json;charset=UTF-8" })
})

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

test("gzip, deflate in both its forms and brotli are undone", async () => {
  const f = async (coding: string, encode: (text: string) => Uint8Array) => {
    const id = await taken(encode, { headers: { "content-encoding": coding } })
    assert.equal((await element(client(), id))!.location, "Zürich", coding)
  }

  await f("gzip", gzipSync)
  await f("x-gzip", gzipSync)
  await f("deflate", deflateSync)
  await f("deflate", deflateRawSync)
  await f("br", brotliCompressSync)
  await f("identity", Buffer.from)
})

test("an unknown coding, or corrupt compressed bytes, are a 400", async () => {
  const f = async (coding: string, body: Uint8Array) => {
    const reply = await client().ingest(body, { "content-encoding": coding })
    assert.equal(reply.status, 400, coding)
    errorOf(reply)
  }

  await f("zstd", Buffer.from("[]"))
  await f("gzip", Buffer.from("[]"))
  await f("gzip", gzipSync("[]").subarray(0, 12))
  await f("br", Buffer.from("no brotli at all"))
})

test("a body over the limit is a 413, before and after it is inflated", async () => {
  const f = async (body: Uint8Array, headers: OutgoingHttpHeaders = {}) => {
    const reply = await client().ingest(body, headers)
    assert.equal(reply.status, 413, reply.text)
    assert.equal(errorOf(reply).message, "PAYLOAD_TOO_LARGE")
  }
  const large = Buffer.from(`[${" ".repeat(bodyBytesMax)}]`)
  const bomb = Buffer.alloc(64 * 1024 * 1024, " ")

  await f(large)
  await f(gzipSync(large), { "content-encoding": "gzip" })
  await f(gzipSync(bomb), { "content-encoding": "gzip" })
  await f(deflateSync(bomb), { "content-encoding": "deflate" })
  await f(brotliCompressSync(bomb.subarray(0, 4 * bodyBytesMax)), { "content-encoding": "br" })
  assert.equal((await client().ingest([])).status, 202)
})

test("text is read as UTF-8, UTF-16 with its mark, or ISO-8859-1", async () => {
  const f = async (encode: (text: string) => Uint8Array, contentType: string) => {
    const id = await taken(encode, { headers: { "content-type": contentType } })
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
})

test("a body that comes in chunks without a length is taken", async () => {
  const headers = { "transfer-encoding": "chunked" }
  assert.ok(await element(client(), await taken(plain, { headers })))
})

test("an unknown key is a 403, never a status that stops an agent for good", async () => {
  const f = async (path: string) => {
    const reply = await client().send(path, { method: "POST", body: "[]" })
    assert.equal(reply.status, 403, path)
    assert.equal(errorOf(reply).message, "FORBIDDEN")
  }

  await f(`/ingest/${"0".repeat(32)}`)
  await f(`/ingest/infrastructure/${"0".repeat(32)}`)
  await f("/ingest/short")
  await f("/ingest/%")
})

test("another method than POST is a 405 that names POST", async () => {
  for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
    const reply = await client().send(`/ingest/${apiKey}`, { method })
    assert.equal(reply.status, 405)
    assert.equal(reply.headers.allow, "POST")
    errorOf(reply)
  }
})
