/** Malformed requests and requests that HTTP/1.1 forbids, alone and after valid ones. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { accept, goodKey, startFixture, Wire } from "./ingest-fixture.ts"
import { eventually } from "../support/time/eventually.ts"

test("bytes after the announced body are the next request, a 400 if it is none", async (t) => {
  const { port, bodies } = await startFixture(t)
  const wire = new Wire(port)
  wire.write(`POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]`)
  await wire.until(() => wire.statuses.length === 1)
  wire.write("garbage\r\n\r\n")
  await wire.closed
  assert.deepEqual(wire.statuses, [202, 400])
  const body = JSON.parse(wire.received.slice(wire.received.indexOf("{")))
  assert.equal(body.message, "BAD_REQUEST")
  assert.equal(body.detail, "Malformed HTTP Request")
  assert.equal(bodies.length, 1)
})

test("a malformed request is answered after earlier ones that still wait", async (t) => {
  const { gate, release } = gated()
  const { port } = await startFixture(t, { run: (task) => gate.then(() => accept(task)) })
  const good = `POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]`
  const f = async (text: string) => {
    const wire = new Wire(port)
    wire.write(text)
    await wire.delivered()
    // A second error must not end it either.
    wire.write("garbage\r\n")
    return wire
  }
  const chunked = good.replace("Content-Length: 2", "Transfer-Encoding: chunked")
  const wires = await Promise.all([
    f(`${good}garbage\r\n`),
    f(`${good}${good}${good}\0`),
    f(`${good}${chunked.replace("[]", "zz")}`),
    f(`${good.replace("Host", "Connection: close\r\nHost")}${good}`),
  ])
  assert.deepEqual(
    wires.map((wire) => wire.received),
    ["", "", "", ""],
  )
  release()
  for (const wire of wires) await wire.closed
  assert.deepEqual(
    wires.map((wire) => wire.statuses),
    [[202, 400], [202, 202, 202, 400], [202, 400], [202]],
  )
})

test("a broken chunk is a 400 of its own request, and releases its bytes", async (t) => {
  const { port, intake, bodies } = await startFixture(t)
  const wire = new Wire(port)
  wire.write(`POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`)
  wire.write("3\r\n[1,\r\nzz\r\n")
  await wire.closed
  assert.deepEqual(wire.statuses, [400])
  await eventually(() => intake.queueBytes === 0)
  assert.equal(bodies.length, 0)
})

test("a missing or doubled Host is a 400, and so are too many headers a 431", async (t) => {
  const { port, bodies } = await startFixture(t, {
    listener: (_, response) => response.end("hono"),
  })
  const f = async (first: string, lines: readonly string[], want: number) => {
    const wire = new Wire(port)
    wire.write([first, ...lines, "Content-Length: 2", "", "[]"].join("\r\n"))
    await wire.until(() => wire.statuses.length === 1)
    assert.deepEqual(wire.statuses, [want], `${first} with ${lines.length} lines`)
    if (want < 400) return wire.socket.destroy()
    await wire.closed
    assert.match(wire.received, /"detail":"Malformed HTTP Request"/)
  }
  const many = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: y`)
  const post = `POST /ingest/${goodKey} HTTP/1.1`
  for (const first of [
    post,
    `${post.slice(0, 4)} /ingest/x/${goodKey} HTTP/1.1`,
    "GET / HTTP/1.1",
  ]) {
    const good = first.startsWith("GET") ? 200 : 202
    await f(first, [], 400)
    await f(first, ["Host: a", "host: a"], 400)
    await f(first, ["Host: a", "X: y", "HOST: b"], 400)
    await f(first, ["Host: a"], good)
    await f(first, ["Host: a", ...many(98)], good)
    await f(first, ["Host: a", ...many(99)], 431)
    await f(first, ["Host: a", ...many(300)], 431)
  }
  await f("GET / HTTP/1.0", [], 200)
  await f("GET / HTTP/1.0", ["Host: a", "Host: a"], 400)
  assert.equal(bodies.length, 4)
})

function gated() {
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  return { gate, release }
}
