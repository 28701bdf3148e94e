import assert from "node:assert/strict"
import { test } from "node:test"
import {
  answerFor,
  accept,
  foreverMs,
  goodKey,
  law,
  send,
  startFixture,
  Wire,
} from "./ingest-fixture.ts"
import { eventually } from "../support/time/eventually.ts"

const post = `POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]`

law("headers that never end are a 408 after headersTimeout", async (t, over) => {
  const { port } = await startFixture(t, {
    ...over,
    limits: { headersTimeoutMs: 60, timeoutCheckMs: 20 },
  })
  const wire = new Wire(port, over.tls)
  wire.write("POST /ingest/x HTTP/1.1\r\nHost: a\r\n")
  await wire.closed
  assert.deepEqual(wire.statuses, [408])
  assert.match(wire.received, /"message":"REQUEST_TIMEOUT"/)
})

law(
  "a body that never ends is a 408 after requestTimeout and releases its bytes",
  async (t, over) => {
    const { port, intake } = await startFixture(t, {
      ...over,
      limits: { headersTimeoutMs: 50, requestTimeoutMs: 80, timeoutCheckMs: 20 },
    })
    const wire = new Wire(port, over.tls)
    wire.write(`POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n[`)
    await wire.closed
    assert.deepEqual(wire.statuses, [408])
    await eventually(() => intake.queueBytes === 0)
  },
)

law("a header section over its limit is a 431 in the one shape", async (t, over) => {
  const { port } = await startFixture(t, { ...over, limits: { headerBytesMax: 1024 } })
  const wire = new Wire(port, over.tls)
  wire.write(`POST /ingest/x HTTP/1.1\r\nHost: a\r\nX: ${"y".repeat(2000)}\r\n\r\n`)
  await wire.closed
  assert.deepEqual(wire.statuses, [431])
  assert.match(wire.received, /"message":"REQUEST_HEADER_FIELDS_TOO_LARGE"/)
})

law("a request with both Content-Length and Transfer-Encoding is refused", async (t, over) => {
  const { port, bodies } = await startFixture(t, over)
  const wire = new Wire(port, over.tls)
  wire.write(post.replace("\r\n\r\n", "\r\nTransfer-Encoding: chunked\r\n\r\n"))
  await wire.closed
  assert.deepEqual(wire.statuses, [400])
  assert.equal(bodies.length, 0)
})

law(
  "close() answers what is in flight, closes its connection, and then resolves",
  async (t, over) => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    const { port, server, intake } = await startFixture(t, {
      ...over,
      run: (task) => gate.then(() => accept(task)),
    })
    const busy = new Wire(port, over.tls)
    busy.write(post)
    await eventually(() => intake.queueBytes > 0)

    const closing = server.close(5_000)
    const refused = new Wire(port, over.tls)
    await refused.closed
    release()
    await closing
    await busy.closed
    assert.deepEqual(busy.statuses, [202])
    assert.match(busy.received, /Connection: close/i)
  },
)

law("close() does not wait for connections that are idle or never sent a byte", async (t, over) => {
  const { port, server } = await startFixture(t, over)
  const idle = new Wire(port, over.tls)
  idle.write(post)
  await idle.until(() => idle.statuses.length === 1)
  const silent = new Wire(port, over.tls)
  await eventually(() => silent.peer !== null)

  await server.close(foreverMs)
})

law("close() gives up on requests that are not answered within the grace", async (t, over) => {
  const { port, server, intake } = await startFixture(t, {
    ...over,
    run: () => new Promise(() => {}),
  })
  const wire = new Wire(port, over.tls)
  wire.write(post)
  await eventually(() => intake.queueBytes > 0)
  await server.close(50)
  await wire.closed
  assert.equal(wire.received, "")
})

law("an upload that began before stop() is taken, one after it is a 503", async (t, over) => {
  const { port, nodeHandler, bodies } = await startFixture(t, over)
  const early = new Wire(port, over.tls)
  early.write(post.slice(0, -1))
  const kept = new Wire(port, over.tls)
  kept.write(post)
  await kept.until(() => kept.statuses.length === 1)

  nodeHandler.stop()
  early.write("]")
  await early.closed
  assert.deepEqual(early.statuses, [202])
  assert.match(early.received, /Connection: close/i)

  kept.write(post)
  await kept.closed
  assert.deepEqual(kept.statuses, [202, 503])
  assert.match(kept.received, /Connection: close/i)
  assert.match(kept.received, /Retry-After: \d+/i)
  assert.equal(bodies.length, 2)
})

test("an answer of the listener that was begun before close() ends its connection", async (t) => {
  let finish: (() => void) | null = null
  const { port, server } = await startFixture(t, {
    listener: (_, response) => (finish = () => response.end("late")),
  })
  const reply = send(port, { method: "GET", path: "/", headers: { connection: "keep-alive" } })
  await eventually(() => finish !== null)
  const closing = server.close(5_000)
  finish!()
  assert.equal((await reply).text, "late")
  await closing
})

law("a 400 while stopping closes its connection too", async (t, over) => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  const { port, nodeHandler, intake } = await startFixture(t, {
    ...over,
    run: (task) => gate.then(() => answerFor(task, 503)),
  })
  const wire = new Wire(port, over.tls)
  wire.write(post)
  await eventually(() => intake.queueBytes > 0)
  nodeHandler.stop()
  release()
  await wire.closed
  assert.deepEqual(wire.statuses, [503])
})
