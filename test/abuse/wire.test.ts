/** Attacks of a hostile client on a connection: lie, smuggle, dribble, flood, or not read. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib"
import { goodKey, send, startFixture, Wire } from "../http/ingest-fixture.ts"
import type { FixtureOptions } from "../http/ingest-fixture.ts"
import { eventually } from "../support/time/eventually.ts"

type Fixture = Awaited<ReturnType<typeof startFixture>>

const head = (...lines: string[]) =>
  [`POST /ingest/${goodKey} HTTP/1.1`, "Host: a", ...lines, "", ""].join("\r\n")
const good = `${head("Content-Length: 2")}[]`

/** Sends bytes on a connection of their own; gives the statuses that came before it ended. */
async function answered(fixture: Fixture, bytes: string | Uint8Array): Promise<number[]> {
  const wire = new Wire(fixture.port)
  wire.write(bytes)
  const late = setTimeout(() => wire.socket.destroy(), 2_000)
  await wire.closed
  clearTimeout(late)
  return wire.statuses
}

const shortLimits = { headersTimeoutMs: 120, requestTimeoutMs: 250, timeoutCheckMs: 20 }
const short = (limits: FixtureOptions["limits"] = {}): FixtureOptions => ({
  limits: { ...shortLimits, ...limits },
})

test("ways to smuggle a request are refused, and none of it is stored", async (t) => {
  const fixture = await startFixture(t, short())
  const f = async (request: string) => {
    const statuses = await answered(fixture, request)
    assert.ok(
      statuses.length <= 1 && statuses.every((one) => one === 400 || one === 408),
      `${JSON.stringify(request.slice(0, 160))} gave ${statuses}`,
    )
    assert.equal(fixture.bodies.length, 0, request)
  }

  const chunked = "2\r\n[]\r\n0\r\n\r\n"
  await f(head("Content-Length: 2", "Transfer-Encoding: chunked") + chunked)
  await f(head("Transfer-Encoding: chunked", "Content-Length: 2") + chunked)
  await f(`${head("Content-Length: 2", "Content-Length: 3")}[]`)
  await f(`${head("Content-Length: 2, 3")}[]`)
  await f(`${head("Content-Length: +2")}[]`)
  await f(`${head("Content-Length: -2")}[]`)
  await f(`${head("Content-Length: 0x2")}[]`)
  await f(`${head("Content-Length: 2e0")}[]`)
  await f(`${head("Content-Length: 99999999999999999999")}[]`)
  await f(`${head("Content-Length : 2")}[]`)
  await f(`${head("Content-Length: 2", " folded: x")}[]`)
  await f(head("Transfer-Encoding: chunked, identity") + chunked)
  await f(head("Transfer-Encoding: xchunked") + chunked)
  await f(head("Transfer-Encoding:\x0bchunked") + chunked)
  await f(head("Transfer-Encoding : chunked") + chunked)
  await f(`${head("Transfer-Encoding: chunked")}2;\n[]\r\n0\r\n\r\n`)
  await f(`${head("Transfer-Encoding: chunked")}0x2\r\n[]\r\n0\r\n\r\n`)
  await f(`${head("Transfer-Encoding: chunked")}-1\r\n[]\r\n0\r\n\r\n`)
  await f(`${head("Transfer-Encoding: chunked")}ffffffffffffffff1\r\n[]\r\n0\r\n\r\n`)
  await f(`${head("Transfer-Encoding: chunked")}2\r\n[]X\r\n0\r\n\r\n`)
  await f(good.replaceAll("\r\n", "\n"))
  await f(`${head("X: a\0b", "Content-Length: 2")}[]`)
  await f(`${head("X\0: b", "Content-Length: 2")}[]`)
  await f(`POST /ingest/${goodKey} HTTP/9.9\r\n\r\n`)
  await f(`POST /ingest/${goodKey} x HTTP/1.1\r\nHost: a\r\n\r\n`)
  await f("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
  await f(`${"A".repeat(200)} / HTTP/1.1\r\n\r\n`)
})

test("a body shorter than announced is not taken; a longer one ends where announced", async (t) => {
  const fixture = await startFixture(t, short())
  assert.deepEqual(await answered(fixture, `${head("Content-Length: 20")}[]`), [408])
  assert.equal(fixture.bodies.length, 0)
  // Where the rest cannot be read as a request while the first still waits, the connection ends
  // without a word: a 400 would be taken for the first one's answer.
  const statuses = await answered(fixture, `${head("Content-Length: 2")}[],{"id":"more"}]\r\n\r\n`)
  assert.ok(statuses.every((status, i) => status === [202, 400][i]))
  assert.deepEqual(fixture.bodies.map(String), ["[]"])
  const hasty = new Wire(fixture.port)
  hasty.write(`${head("Content-Length: 20")}[]`)
  hasty.socket.end()
  await hasty.closed
  await eventually(() => fixture.intake.queueBytes === 0)
})

test("chunks of any size, with extensions and trailers, are one body", async (t) => {
  const fixture = await startFixture(t, short())
  const f = async (chunks: string) => {
    const wire = new Wire(fixture.port)
    wire.write(head("Transfer-Encoding: chunked", "Connection: close") + chunks)
    await wire.closed
    assert.deepEqual(wire.statuses, [202], chunks)
    assert.equal(String(fixture.bodies.pop()), "[{}]")
  }
  await f("4\r\n[{}]\r\n0\r\n\r\n")
  await f("1\r\n[\r\n1\r\n{\r\n1\r\n}\r\n1\r\n]\r\n0\r\n\r\n")
  await f("4;a=b\r\n[{}]\r\n0\r\nX: y\r\n\r\n")
  await f("0004\r\n[{}]\r\n000\r\n\r\n")
})

test("answers of pipelined requests come in order, and refused ones end nothing", async (t) => {
  const fixture = await startFixture(t)
  const wire = new Wire(fixture.port)
  const unknown = good.replace(goodKey, "0".repeat(32))
  wire.write((good + unknown).repeat(500))
  await wire.until(() => wire.statuses.length === 1_000)
  assert.ok(wire.statuses.every((status, i) => status === (i % 2 === 0 ? 202 : 403)))
  assert.equal(fixture.bodies.length, 500)
  wire.socket.destroy()
  await eventually(() => fixture.intake.queueBytes === 0)
})

test("bodies that inflate to more than the limit are a 413 and hold nothing", async (t) => {
  const bytesMax = 1024 * 1024
  const fixture = await startFixture(t, { limits: { bodyBytesMax: bytesMax } })
  const zeros = Buffer.alloc(64 * 1024 * 1024)
  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
  const bombs = {
    gzip: gzipSync(zeros),
    deflate: deflateSync(zeros),
    br: brotliCompressSync(zeros, fast),
  }
  for (const [coding, body] of Object.entries(bombs)) {
    assert.ok(body.length < bytesMax)
    const replies = Array.from({ length: 10 }, () =>
      send(fixture.port, { headers: { "content-encoding": coding }, body }),
    )
    for (const reply of await Promise.all(replies)) assert.equal(reply.status, 413, coding)
  }
  await eventually(() => fixture.intake.queueBytes === 0)
  assert.equal(fixture.bodies.length, 0)
})

test("a gzip body of many empty members, and one within another, bring no harm", async (t) => {
  const fixture = await startFixture(t, { limits: { bodyBytesMax: 64 * 1024 } })
  const nothing = gzipSync("")
  const members = Buffer.concat(Array.from({ length: 10_000 }, () => nothing))
  const f = async (body: Buffer, status: number) => {
    const reply = await send(fixture.port, { headers: { "content-encoding": "gzip" }, body })
    assert.equal(reply.status, status, reply.text)
  }
  await f(members, 413)
  await f(Buffer.concat([nothing, gzipSync("[]")]), 202)
  await f(gzipSync("[]").subarray(0, 15), 400)
  await f(Buffer.from("[]"), 400)
  const twice = { "content-encoding": "gzip, gzip" }
  assert.equal((await send(fixture.port, { headers: twice, body: gzipSync(nothing) })).status, 400)
  await eventually(() => fixture.intake.queueBytes === 0)
})

test("headers dribbled a byte at a time are cut, however steadily they come", async (t) => {
  const fixture = await startFixture(t, short())
  const wire = new Wire(fixture.port)
  const text = `${head("X: y")}`
  let sent = 0
  const drip = setInterval(() => {
    if (wire.socket.writable) wire.write(text[sent++ % text.length]!)
  }, 10)
  await wire.closed
  clearInterval(drip)
  assert.deepEqual(wire.statuses, [408])
})

test("a body dribbled a byte at a time is cut and what it held is given back", async (t) => {
  const fixture = await startFixture(t, short())
  const wire = new Wire(fixture.port)
  wire.write(head("Content-Length: 1000"))
  const drip = setInterval(() => wire.socket.writable && wire.write(" "), 10)
  await wire.closed
  clearInterval(drip)
  assert.deepEqual(wire.statuses, [408])
  await eventually(() => fixture.intake.queueBytes === 0)
})

test("a connection that says nothing is cut after the time for headers", async (t) => {
  const fixture = await startFixture(t, short())
  const wire = new Wire(fixture.port)
  await wire.closed
  assert.ok(wire.statuses.every((status) => status === 408))
})

test("a client that does not read its answer is cut; one that reads slowly gets all", async (t) => {
  const answer = Buffer.alloc(32 * 1024 * 1024, "x")
  const fixture = await startFixture(t, {
    limits: { stallTimeoutMs: 2_000 },
    listener: (_, response) => response.end(answer),
  })
  const ask = "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
  const deaf = new Wire(fixture.port)
  deaf.socket.pause()
  deaf.write(ask)
  const slow = new Wire(fixture.port)
  let bytes = 0
  slow.socket.removeAllListeners("data")
  slow.socket.on("data", (chunk) => {
    bytes += chunk.length
    slow.socket.pause()
    setTimeout(() => slow.socket.resume(), 1)
  })
  slow.write(ask)
  await slow.closed
  assert.ok(bytes > answer.length, `Expected the whole answer, got ${bytes} bytes`)
  // A paused socket does not notice its end until it reads.
  await eventually(() => deaf.peer?.destroyed === true)
  let left = 0
  deaf.socket.on("data", (chunk: Buffer) => (left += chunk.length))
  deaf.socket.resume()
  await deaf.closed
  assert.ok(left < answer.length, `Expected the connection to be cut, got ${left} bytes`)
})

test("an answer that takes longer to make than a stall may last is still given", async (t) => {
  const fixture = await startFixture(t, {
    limits: { stallTimeoutMs: 50 },
    listener: (_, response) => setTimeout(() => response.end("late"), 250),
  })
  assert.equal((await send(fixture.port, { method: "GET", path: "/" })).text, "late")
})

test("a client that pipelines and never reads is held back, then cut", async (t) => {
  const fixture = await startFixture(t, { limits: { stallTimeoutMs: 300 } })
  const wire = new Wire(fixture.port)
  wire.socket.pause()
  const many = Buffer.from(good.replace(goodKey, "0".repeat(32)).repeat(2_000))
  let pieces = 0
  const flood = () => {
    while (wire.socket.writable && pieces < 50 && wire.socket.write(many)) pieces++
    if (wire.socket.writable && pieces < 50) wire.socket.once("drain", flood)
  }
  flood()
  let counted = -1
  while (fixture.counted.length > counted) {
    counted = fixture.counted.length
    await new Promise((resolve) => setTimeout(resolve, 600))
  }
  assert.ok(counted > 0 && counted < 50 * 2_000, `Expected a part to be read, got ${counted}`)
  wire.socket.resume()
  await wire.closed
})
