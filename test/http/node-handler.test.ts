import assert from "node:assert/strict"
import { test } from "node:test"
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import {
  charsetShift,
  flagInjectTimestamp,
  flagReportLeftOut,
} from "../../src/engine/shard-protocol.ts"
import { charsets } from "../../src/ingest/ingest.ts"
import { answerFor, goodKey, nowMs, send, startFixture, Wire } from "./ingest-fixture.ts"
import type { Reply } from "./ingest-fixture.ts"
import { eventually } from "../support/time/eventually.ts"

const json = '[{"id":"a"}]'

/** Every error has the one shape (spec/accounts §4). */
function assertError(reply: Reply, status: number, message: string): { errors: string[] } {
  assert.equal(reply.status, status)
  assert.equal(reply.headers["content-type"], "application/json")
  const body = JSON.parse(reply.text)
  assert.deepEqual(Object.keys(body), [
    "status",
    "message",
    "detail",
    "errors",
    "serverTimestamp",
    "iso8601DateTime",
    "requestId",
  ])
  assert.equal(reply.headers["x-request-id"], body.requestId)
  assert.equal(body.status, status)
  assert.equal(body.message, message)
  assert.ok(
    body.errors.length > 0 && body.errors.every((each: unknown) => typeof each === "string"),
  )
  assert.equal(body.serverTimestamp, nowMs)
  assert.equal(body.iso8601DateTime, "2023-11-14T22:13:20.123Z")
  return body
}

test("an accepted post is answered 202 with an empty body", async (t) => {
  const { port, bodies, counted } = await startFixture(t)
  const reply = await send(port, { body: json })
  assert.equal(reply.status, 202)
  assert.equal(reply.text, "")
  assert.equal(reply.headers["content-length"], "0")
  assert.equal(bodies[0]?.toString(), json)
  assert.deepEqual(counted, [202])
})

test("SEND_RESPONSE_BODY returns the number of received elements", async (t) => {
  const { port } = await startFixture(t)
  const headers = { "X-Service-Api-Options": "SEND_RESPONSE_BODY" }
  const reply = await send(port, { body: json, headers })
  assert.equal(reply.headers["content-type"], "application/json")
  assert.equal(
    reply.text,
    '{"status":202,"message":"ACCEPTED","detail":"3 elements received",' +
      `"serverTimestamp":${nowMs},"iso8601DateTime":"2023-11-14T22:13:20.123Z"}`,
  )
})

test("options are read under three header names, in any case, with spaces", async (t) => {
  const { port, flags } = await startFixture(t)
  const f = async (headers: Record<string, string>, injects: boolean, sendsBody: boolean) => {
    const reply = await send(port, { body: json, headers })
    const told = sendsBody ? flagReportLeftOut : 0
    assert.equal(flags.at(-1), told | (injects ? flagInjectTimestamp : 0))
    assert.equal(reply.text !== "", sendsBody)
  }
  await f({}, false, false)
  await f({ "x-service-api-options": "INJECT_TIMESTAMP" }, true, false)
  await f({ "X-Netuitive-Api-Options": " inject_timestamp , Send_Response_Body" }, true, true)
  await f({ "X-Metricly-Api-Options": ",SEND_RESPONSE_BODY,," }, false, true)
  await f({ "X-Metricly-Api-Options": "INJECT", "x-service-api-options": "" }, false, false)
})

test("a kind, a trailing slash and a query string change nothing", async (t) => {
  const { port, counted } = await startFixture(t)
  for (const kind of ["", "java/", "infrastructure/", "collectd/"]) {
    for (const tail of ["", "/", "?a=b", "/?a=/b/c"]) {
      const reply = await send(port, { body: json, path: `/ingest/${kind}${goodKey}${tail}` })
      assert.equal(reply.status, 202, `${kind} ${tail}`)
    }
  }
  assert.equal(counted.length, 16)
})

test("a target with scheme and host, as for a forward proxy, is its path", async (t) => {
  const { port, counted } = await startFixture(t, {
    listener: async (request, response) => void response.end(request.url),
  })
  for (const origin of ["http://metrics.example.com:80", "HTTPS://[::1]:443"]) {
    const posted = await send(port, { body: json, path: `${origin}/ingest/${goodKey}` })
    assert.equal(posted.status, 202, origin)
    for (const path of ["/time?at=http://x/", "/", "//app"]) {
      assert.equal((await send(port, { method: "GET", path: `${origin}${path}` })).text, path)
    }
    assert.equal((await send(port, { method: "GET", path: origin })).text, "/")
    assert.equal((await send(port, { method: "GET", path: `${origin}?a=b` })).text, "/?a=b")
  }
  assert.equal(counted.length, 2)
})

test("what is not sample ingest goes on to the listener with its body untouched", async (t) => {
  const { port, counted } = await startFixture(t, {
    listener: async (request, response) => {
      let text = ""
      for await (const chunk of request) text += chunk
      response.end(`${request.url} ${text}`)
    },
  })
  const f = async (path: string) =>
    assert.equal((await send(port, { path, body: "hi" })).text, `${path} hi`)
  await f("/")
  await f("/ingest/")
  await f(`/ingest/events/${goodKey}`)
  await f(`/ingest/events/java/${goodKey}`)
  await f(`/ingest/webhook/${goodKey}`)
  await f(`/ingest/a/b/${goodKey}`)
  await f("/ingestion/x")
  assert.deepEqual(counted, [])
})

test("the charset of any Content-Type is handed on, its media type ignored", async (t) => {
  const { port, flags } = await startFixture(t)
  const f = async (type: string, want: string) => {
    await send(port, { body: json, headers: { "content-type": type } })
    assert.equal(charsets[flags.at(-1)! >> charsetShift], want, type)
  }
  await f("application/json", "none")
  await f("text/plain", "none")
  await f("", "none")
  await f("application/json; charset=UTF-8", "utf-8")
  await f("application/json;charset=utf8", "utf-8")
  await f('application/json; a=b; CHARSET = "Utf-8"', "utf-8")
  await f("application/json; charset=UTF-16LE", "utf-16")
  await f("text/json; charset=ISO-8859-1", "iso-8859-1")
  await f("text/json; charset=Windows-1252", "windows-1252")
  await f("text/json; charset=ISO-8859-15", "iso-8859-15")
  await f("text/json; charset=klingon", "none")
  await f("text/json; charset=constructor", "none")
})

test("gzip, zlib and raw deflate, brotli and identity are undone", async (t) => {
  const { port, bodies } = await startFixture(t)
  const text = JSON.stringify(Array.from({ length: 2000 }, (_, index) => ({ id: `e${index}` })))
  const f = async (coding: string, body: Uint8Array) => {
    const reply = await send(port, { body, headers: { "content-encoding": coding } })
    assert.equal(reply.status, 202, coding)
    assert.equal(bodies.at(-1)?.toString(), text)
  }
  await f("gzip", gzipSync(text))
  await f("X-GZip", gzipSync(text))
  await f("deflate", deflateSync(text))
  await f("deflate", deflateRawSync(text))
  await f("br", brotliCompressSync(text))
  await f("identity", Buffer.from(text))
  await f("identity, gzip", gzipSync(text))
})

test("compressed bodies may come byte by byte", async (t) => {
  const { port, bodies } = await startFixture(t)
  for (const [coding, body] of [
    ["deflate", deflateSync(json)],
    ["deflate", deflateRawSync(json)],
    ["gzip", gzipSync(json)],
  ] as const) {
    const wire = new Wire(port)
    wire.write(`POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nContent-Encoding: ${coding}\r\n`)
    wire.write(`Content-Length: ${body.length}\r\n\r\n`)
    for (const byte of body) {
      wire.write(Uint8Array.of(byte))
      await new Promise(setImmediate)
    }
    await wire.until((received) => received.includes("202 Accepted"))
    assert.equal(bodies.at(-1)?.toString(), json)
    wire.socket.destroy()
  }
})

test("an unknown Content-Encoding is a 400 that names the known ones", async (t) => {
  const { port, bodies } = await startFixture(t)
  for (const coding of ["zstd", "compress", "gzip, br", "toString"]) {
    const reply = await send(port, { body: json, headers: { "content-encoding": coding } })
    const { errors } = assertError(reply, 400, "BAD_REQUEST")
    assert.match(errors[0]!, /expected gzip, deflate, br or identity/)
  }
  assert.equal(bodies.length, 0)
})

test("compressed data that is broken or cut short is a 400", async (t) => {
  const { port, bodies, intake, logged } = await startFixture(t)
  const whole = gzipSync(json)
  const f = async (coding: string, body: Uint8Array) => {
    const reply = await send(port, { body, headers: { "content-encoding": coding } })
    const { detail } = assertError(reply, 400, "BAD_REQUEST") as unknown as { detail: string }
    assert.equal(detail, "Error Parsing JSON Request")
  }
  await f("gzip", Buffer.from(json))
  await f("gzip", whole.subarray(0, whole.length - 4))
  await f("deflate", deflateSync(json).subarray(0, 6))
  await f("deflate", deflateRawSync(json).subarray(0, 6))
  await f("br", Buffer.from(json))
  await eventually(() => intake.queueBytes === 0)
  assert.equal(bodies.length, 0)
  assert.deepEqual(logged, [])
})

test("a decompression bomb is a 413 and never takes more than the bound", async (t) => {
  const bodyBytesMax = 100_000
  const { port, bodies, intake } = await startFixture(t, { limits: { bodyBytesMax } })
  const zeros = Buffer.alloc(20_000_000)
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, intake.queueBytes)), 0)
  t.after(() => clearInterval(watch))
  for (const [coding, body] of [
    ["gzip", gzipSync(zeros)],
    ["deflate", deflateSync(zeros)],
    ["br", brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
  ] as const) {
    assert.ok(body.length < bodyBytesMax)
    const reply = await send(port, { body, headers: { "content-encoding": coding } })
    assertError(reply, 413, "PAYLOAD_TOO_LARGE")
  }
  await eventually(() => intake.queueBytes === 0)
  assert.ok(most < 2 * bodyBytesMax + 200_000, `held ${most}`)
  assert.equal(bodies.length, 0)
})

test("a Content-Length over the limit is an immediate 413 with an orderly end", async (t) => {
  const { port, bodies } = await startFixture(t, { limits: { bodyBytesMax: 10 } })
  assert.equal((await send(port, { body: "x".repeat(10) })).status, 202)

  const wire = new Wire(port)
  wire.write(`POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n`)
  await wire.until((received) => received.includes("}"))
  assert.deepEqual(wire.statuses, [413])
  assert.match(wire.received, /Connection: close/i)
  wire.write(Buffer.alloc(3_000_000))
  await wire.closed
  assert.equal(wire.socket.errored, null)
  assert.equal(bodies.length, 1)
})

test("a client that writes a whole large body first still reads its 413", async (t) => {
  const { port } = await startFixture(t, { limits: { bodyBytesMax: 10 } })
  const reply = await send(port, { body: Buffer.alloc(8_000_000) })
  assertError(reply, 413, "PAYLOAD_TOO_LARGE")
})

test("a chunked body is counted, taken within the limit, refused over it", async (t) => {
  const { port, bodies, intake } = await startFixture(t, { limits: { bodyBytesMax: 10 } })
  const f = async (parts: string[], want: number) => {
    const wire = new Wire(port)
    wire.write(`POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`)
    for (const part of parts) {
      wire.write(`${part.length.toString(16)}\r\n${part}\r\n`)
      await new Promise(setImmediate)
    }
    wire.write("0\r\n\r\n")
    await wire.until(() => wire.statuses.length === 1)
    assert.deepEqual(wire.statuses, [want])
    wire.socket.destroy()
  }
  await f(["12345", "67890"], 202)
  assert.equal(bodies[0]?.toString(), "1234567890")
  await f(["12345", "678901"], 413)
  await f([], 202)
  await eventually(() => intake.queueBytes === 0)
})

test("an unknown key is a 403 that does not repeat it; the connection goes on", async (t) => {
  const { port, logged, bodies } = await startFixture(t)
  const secret = "feedfacefeedfacefeedfacefeedface"
  for (const path of [`/ingest/${secret}`, `/ingest/java/${secret}`, "/ingest/%E0%A4%A"]) {
    const reply = await send(port, { path, body: json })
    assertError(reply, 403, "FORBIDDEN")
    assert.doesNotMatch(JSON.stringify(reply), new RegExp(secret))
  }
  assert.deepEqual(logged, [])
  assert.equal(bodies.length, 0)

  const wire = new Wire(port)
  const post = (key: string) =>
    wire.write(`POST /ingest/${key} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]`)
  post(secret)
  await wire.until(() => wire.statuses.length === 1)
  post(goodKey)
  await wire.until(() => wire.statuses.length === 2)
  assert.deepEqual(wire.statuses, [403, 202])
  wire.socket.destroy()
})

test("methods other than POST on an ingest path are 405 with Allow", async (t) => {
  const { port } = await startFixture(t)
  for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
    const reply = await send(port, { method })
    assertError(reply, 405, "METHOD_NOT_ALLOWED")
    assert.equal(reply.headers.allow, "POST")
  }
  const head = await send(port, { method: "HEAD" })
  assert.equal(head.status, 405)
  assert.equal(head.headers.allow, "POST")
})

test("a refusal of the shard is a 400 with its errors", async (t) => {
  const refusal = { request: 0, detail: "Input Validation Failed", errors: ["no id"] }
  const { port } = await startFixture(t, {
    run: async (task) => ({ ...answerFor(task, 400), refusals: [refusal] }),
  })
  const reply = await send(port, { body: "[{}]" })
  assert.deepEqual(assertError(reply, 400, "BAD_REQUEST").errors, ["no id"])
})

test("a failure inside is a 500 with a request id that the log knows", async (t) => {
  const { port, logged } = await startFixture(t, {
    run: () => Promise.reject(new Error("secret path /var/lib/x")),
  })
  const replies = await Promise.all([send(port, { body: json }), send(port, { body: json })])
  for (const reply of replies) {
    assertError(reply, 500, "INTERNAL_SERVER_ERROR")
    // That of the first of the batch, which the log names.
    assert.match(reply.text, /log has the reason: abababab0000000[12]"/)
    assert.doesNotMatch(reply.text, /secret path/)
  }
  assert.match(logged[0]!, /"requestId":"abababab0000000[12]"/)
  assert.match(logged[0]!, /secret path/)
  assert.doesNotMatch(logged.join(), new RegExp(goodKey))
})

test("a store that takes no samples now is a 503 with Retry-After", async (t) => {
  const { port } = await startFixture(t, { run: async (task) => answerFor(task, 503) })
  const answer = await send(port, { body: json })
  assertError(answer, 503, "SERVICE_UNAVAILABLE")
  assert.ok(Number(answer.headers["retry-after"]) > 0)
})

test("a full queue is a 503 with Retry-After, also if it fills during the upload", async (t) => {
  const { port, bodies, intake } = await startFixture(t, {
    intakeLimits: { queueBytesMax: 10_000 },
  })
  const full = await send(port, { body: "x".repeat(9_000) })
  assertError(full, 503, "SERVICE_UNAVAILABLE")
  assert.equal(full.headers["retry-after"], "1")

  const wire = new Wire(port)
  wire.write(`POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`)
  wire.write(`2328\r\n${"x".repeat(9_000)}\r\n0\r\n\r\n`)
  await wire.until(() => wire.statuses.length === 1)
  assert.deepEqual(wire.statuses, [503])
  await eventually(() => intake.queueBytes === 0)
  assert.equal(bodies.length, 0)
  assert.equal((await send(port, { body: json })).status, 202)
})

test("while memory is short a post is a 503 with Retry-After, nothing of it is kept", async (t) => {
  const { port, bodies, intake } = await startFixture(t)
  intake.setMemoryShort(true)
  const refused = await send(port, { body: json })
  assertError(refused, 503, "SERVICE_UNAVAILABLE")
  assert.equal(refused.headers["retry-after"], "5")
  assert.match(refused.text, /short of memory; nothing was stored/)
  assert.equal(intake.queueBytes, 0)
  intake.setMemoryShort(false)
  assert.equal((await send(port, { body: json })).status, 202)
  assert.equal(bodies.length, 1)
})

test("a body of tiny chunks is taken whole, and counts with what its chunks cost", async (t) => {
  const { port, bodies, intake } = await startFixture(t, {
    intakeLimits: { queueBytesMax: 50_000 },
  })
  const f = async (count: number, want: number) => {
    const wire = new Wire(port)
    wire.write(`POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`)
    wire.write(`${"1\r\nx\r\n".repeat(count)}0\r\n\r\n`)
    await wire.until(() => wire.statuses.length === 1)
    assert.deepEqual(wire.statuses, [want])
    wire.socket.destroy()
    await eventually(() => intake.queueBytes === 0)
  }
  await f(200, 202)
  assert.equal(bodies[0]?.toString(), "x".repeat(200))
  await f(300, 503)
  assert.equal(bodies.length, 1)
})

test("an aborted upload releases its bytes and submits nothing", async (t) => {
  const { port, intake, bodies, counted } = await startFixture(t)
  for (const coding of ["identity", "gzip", "deflate", "br"]) {
    const wire = new Wire(port)
    wire.write(`POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nContent-Encoding: ${coding}\r\n`)
    wire.write(`Content-Length: 100000\r\n\r\n`)
    const start = { gzip: gzipSync(json), deflate: deflateSync(json), br: brotliCompressSync(json) }
    wire.write(start[coding as "gzip"]?.subarray(0, 8) ?? "x".repeat(50_000))
    await eventually(() => intake.queueBytes > 0)
    wire.socket.destroy()
    await eventually(() => intake.queueBytes === 0)
  }
  assert.equal(bodies.length, 0)
  assert.deepEqual(counted, [])
})

test("a client that disconnects before its response does no harm", async (t) => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  const { port, intake, counted } = await startFixture(t, {
    run: async (task) => {
      await gate
      return answerFor(task, 400)
    },
  })
  const wire = new Wire(port)
  wire.write(`POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]`)
  await eventually(() => intake.queueBytes > 0)
  wire.socket.destroy()
  await wire.closed
  release()
  await eventually(() => intake.queueBytes === 0)
  await eventually(() => counted.length === 1)
  assert.equal((await send(port, { body: json })).status, 503)
})

test("pipelined requests are answered in order", async (t) => {
  const { port, bodies } = await startFixture(t)
  const wire = new Wire(port)
  const post = (key: string, text: string) =>
    `POST /ingest/${key} HTTP/1.1\r\nHost: a\r\nContent-Length: ${text.length}\r\n\r\n${text}`
  wire.write(post(goodKey, "[1]") + post("bad", "[2]") + post(goodKey, "[3]"))
  await wire.until(() => wire.statuses.length === 3)
  assert.deepEqual(wire.statuses, [202, 403, 202])
  assert.deepEqual(bodies.map(String), ["[1]", "[3]"])
  wire.socket.destroy()
})

test("Expect: 100-continue is answered if the body is wanted", async (t) => {
  const { port, bodies } = await startFixture(t, { limits: { bodyBytesMax: 10 } })
  const head = (key: string, length: number) =>
    `POST /ingest/${key} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n` +
    `Content-Length: ${length}\r\n\r\n`
  const good = new Wire(port)
  good.write(head(goodKey, 2))
  await good.until(() => good.statuses.length === 1)
  assert.deepEqual(good.statuses, [100])
  good.write("[]")
  await good.until(() => good.statuses.length === 2)
  assert.deepEqual(good.statuses, [100, 202])
  good.socket.destroy()

  for (const [key, length, want] of [
    [goodKey, 11, 413],
    ["bad", 2, 403],
  ] as const) {
    const wire = new Wire(port)
    wire.write(head(key, length))
    await wire.closed
    assert.deepEqual(wire.statuses, [want])
  }
  assert.equal(bodies.length, 1)
})

test("an unknown Expect is no reason to refuse", async (t) => {
  const { port } = await startFixture(t)
  const wire = new Wire(port)
  const head = `POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nExpect: miracle`
  wire.write(`${head}\r\nContent-Length: 2\r\n\r\n[]`)
  await wire.until((received) => received.includes("202 Accepted"))
  wire.socket.destroy()
})

test("repeated slashes collapse on ingest and check paths only", async (t) => {
  const { port, counted } = await startFixture(t, {
    listener: (request, response) => response.end(request.url),
  })
  const stored = async (path: string) =>
    assert.equal((await send(port, { path, body: json })).status, 202, path)
  await stored(`/ingest//${goodKey}`)
  await stored(`//ingest/${goodKey}`)
  await stored(`/ingest/java//${goodKey}`)
  await stored(`//ingest///java//${goodKey}//?a=//b`)
  assert.equal(counted.length, 4)
  const f = async (path: string, want: string) =>
    assert.equal((await send(port, { path, body: "" })).text, want)
  await f("/check//KEY/a//b/60?c=//d", "/check/KEY/a/b/60?c=//d")
  await f("/ingest/events//KEY", "/ingest/events/KEY")
  await f("//metrics//fqns", "//metrics//fqns")
  await f("/elements?a=//b", "/elements?a=//b")
})

test("no log line and no response contains an API key", async (t) => {
  const { port, logged } = await startFixture(t, { run: () => Promise.reject(new Error("down")) })
  const replies = [await send(port, { body: json }), await send(port, { method: "GET" })]
  assert.doesNotMatch(logged.join() + JSON.stringify(replies), new RegExp(goodKey))
})
