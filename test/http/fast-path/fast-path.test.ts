/** The fast path responds as node:http; a `Trailer` header makes it leave a request to it. */

import assert from "node:assert/strict"
import type { TestContext } from "node:test"
import fc from "fast-check"
import {
  accept,
  answerFor,
  foreverMs,
  goodKey,
  law,
  startFixture,
  Wire,
} from "../ingest-fixture.ts"
import type { FixtureOptions } from "../ingest-fixture.ts"
import { eventually } from "../../support/time/eventually.ts"

type Fixture = Awaited<ReturnType<typeof startFixture>>

interface Post {
  readonly key: string
  readonly lines: readonly string[]
  readonly body: string
  readonly hosts?: readonly string[]
  /** Headers that mean nothing. */
  readonly more?: number
  /** Bytes behind the body. */
  readonly tail?: string
}

const leaveToHttp = "Trailer: x"

function textOf({ key, lines, body, hosts = ["Host: a"], more = 0, tail = "" }: Post): string {
  const length = `Content-Length: ${body.length}`
  const others = Array.from({ length: more }, (_, i) => `X-${i}: y`)
  const first = `POST /ingest/${key} HTTP/1.1`
  return [first, ...hosts, ...lines, ...others, length, "", body + tail].join("\r\n")
}

const post = (body: string, ...lines: string[]): string => textOf({ key: goodKey, lines, body })

/**
 * Sends one after the other on one connection, each in pieces, until the connection is ended; then
 * ends it. Gives the statuses that came back, and all lines in an order of their own: that of
 * headers means nothing.
 */
async function exchange({ port, tls }: Fixture, texts: readonly string[], pieceBytes: number) {
  const wire = new Wire(port, tls)
  for (const [index, text] of texts.entries()) {
    for (let at = 0; at < text.length && wire.socket.writable; at += pieceBytes) {
      wire.write(text.slice(at, at + pieceBytes))
      await new Promise(setImmediate)
    }
    const isTold = () => wire.statuses.length > index || wire.socket.destroyed
    await eventually(isTold)
    if (!wire.socket.writable || wire.received.includes("Connection: close")) break
  }
  wire.socket.end()
  await wire.closed
  const received = wire.received.replaceAll(/\babababab[0-9a-f]{8}\b/g, "(made here)")
  const lines = received.split("\r\n").filter((one) => !one.startsWith("Date: "))
  return { statuses: wire.statuses, lines: lines.toSorted() }
}

const line = fc.constantFrom(
  "Content-Type: application/json",
  "Content-Type: text/plain; charset=UTF-16",
  "X-Service-Api-Options: SEND_RESPONSE_BODY",
  "X-Metricly-Api-Options: INJECT_TIMESTAMP",
  "Connection: keep-alive",
  "Accept: */*",
  "X-Request-Id: 4bf92f35-77b3",
  "X-Request-Id: two words",
)
const posted = fc.record({
  key: fc.constantFrom(
    goodKey,
    `java/${goodKey}`,
    "unknown",
    `${goodKey}?a=b`,
    `/${goodKey}`,
    `/java//${goodKey}/`,
  ),
  lines: fc.uniqueArray(line, { selector: (one) => one.slice(0, 12), maxLength: 4 }),
  body: fc.constantFrom("[]", '[{"id":"a"}]', "", "x".repeat(3_000), "y".repeat(20_000)),
})
/** Requests that end their connection, or have something behind them that does. */
const last = fc.record({
  one: posted,
  isClosing: fc.boolean(),
  hosts: fc.oneof(
    { weight: 4, arbitrary: fc.constant(["Host: a"]) },
    { weight: 1, arbitrary: fc.constantFrom([], ["Host: a", "host: a"], ["Host:"]) },
  ),
  more: fc.constantFrom(0, 0, 60, 88, 150),
  tail: fc.constantFrom("", "garbage\r\n\r\n", "\0", "{}", post("[]"), "z".repeat(150_000)),
})

function closing({
  one,
  isClosing,
  ...rest
}: typeof last extends fc.Arbitrary<infer T> ? T : never) {
  const lines = one.lines.filter((header) => !isClosing || !header.startsWith("Connection"))
  return { ...one, ...rest, lines: isClosing ? ["Connection: close", ...lines] : lines }
}

law("plain posts are answered and stored as by node:http", async (t, over) => {
  const fixtures = [
    await startFixture(t, { ...odd, ...over }),
    await startFixture(t, { ...odd, ...over }),
  ] as const
  const pieces = fc.constantFrom(Infinity, 900, 150_000)
  const posts = fc.tuple(fc.array(posted, { minLength: 1, maxLength: 4 }), last.map(closing))
  await fc.assert(
    fc.asyncProperty(posts, pieces, async ([firsts, end], n) => {
      const all: readonly Post[] = [...firsts, end]
      const ours = exchange(fixtures[0], all.map(textOf), n)
      const others = all.map((one) => textOf({ ...one, lines: [...one.lines, leaveToHttp] }))
      assert.deepEqual(await ours, await exchange(fixtures[1], others, Infinity))
      assert.deepEqual(fixtures[0].bodies.splice(0), fixtures[1].bodies.splice(0))
      assert.deepEqual(fixtures[0].flags.splice(0), fixtures[1].flags.splice(0))
      assert.deepEqual(fixtures[0].counted.splice(0), fixtures[1].counted.splice(0))
    }),
    { numRuns: 60 },
  )
  await eventually(() => fixtures[0].intake.queueBytes === 0)
})

/** Refuses some bodies, takes none over 10 kB. */
const odd: FixtureOptions = {
  limits: { bodyBytesMax: 10_000 },
  run: async (task) => answerFor(task, task.bytes.length % 2 === 0 ? 202 : 503),
}

law("input after a waiting request is deferred and read afterwards", async (t, over) => {
  const { gate, release } = gated()
  const fixture = await startFixture(t, { ...over, run: (task) => gate.then(() => accept(task)) })
  const wire = new Wire(fixture.port, over.tls)
  wire.write(post("[1]"))
  await eventually(() => fixture.intake.queueBytes > 0)
  wire.write(post("[2]"))
  await wire.delivered()
  wire.write("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
  await wire.delivered()
  assert.equal(fixture.bodies.length, 1)
  release()
  await wire.until(() => wire.statuses.length === 3)
  assert.deepEqual(wire.statuses, [202, 202, 404])
  assert.deepEqual(fixture.bodies.map(String), ["[1]", "[2]"])
  wire.socket.destroy()
})

law("a body followed by the next request ends at its announced length", async (t, over) => {
  const fixture = await startFixture(t, over)
  const wire = new Wire(fixture.port, over.tls)
  const [first, second] = [post("a".repeat(100_000)), post("[2]")]
  wire.write(first.slice(0, 50_000))
  await wire.delivered()
  wire.write(first.slice(50_000) + second + second)
  await wire.until(() => wire.statuses.length === 3)
  assert.deepEqual(
    fixture.bodies.map((body) => body.length),
    [100_000, 3, 3],
  )
  wire.socket.destroy()
})

law(
  "a client that half-closes after a post still gets its response, on both paths",
  async (t, over) => {
    const { gate, release } = gated()
    const fixture = await startFixture(t, { ...over, run: (task) => gate.then(() => accept(task)) })
    const wires = [post("[1]"), post("[1]", leaveToHttp), post("[1]").repeat(2)].map((text) => {
      const wire = new Wire(fixture.port, over.tls)
      wire.socket.end(text)
      return wire
    })
    await eventually(() => fixture.bodies.length > 0 && fixture.intake.waitingRequests === 3)
    await eventually(() => wires.every(({ peer }) => peer!.isPaused() || peer!.readableEnded))
    release()
    for (const wire of wires) await wire.closed
    assert.deepEqual(
      wires.map((wire) => wire.statuses),
      [[202], [202], [202, 202]],
    )
  },
)

law("Connection: close closes the connection, after a 202 and after a 403", async (t, over) => {
  const fixture = await startFixture(t, over)
  const close = "Connection: close"
  for (const [text, status] of [
    [post("[1]", close), 202],
    [textOf({ key: "unknown", lines: [close], body: "[1]" }), 403],
  ] as const) {
    const wire = new Wire(fixture.port, over.tls)
    wire.write(text)
    await wire.closed
    assert.deepEqual(wire.statuses, [status])
  }
})

law("a quota exceeded within a body is a 503 that the client can read", async (t, over) => {
  const fixture = await startFixture(t, { ...over, intakeLimits: { queueBytesMax: 60_000 } })
  const text = post("x".repeat(30_000))
  const wires = [0, 1, 2, 3].map(() => new Wire(fixture.port, over.tls))
  // Each is admitted before the next: one that is refused by its head keeps its connection.
  for (const wire of wires) {
    const { queueBytes } = fixture.intake
    wire.write(text.slice(0, 1_000))
    await eventually(() => fixture.intake.queueBytes > queueBytes)
  }
  for (const wire of wires) wire.write(text.slice(1_000, -1))
  await eventually(() => wires.some((wire) => wire.statuses.length > 0))
  for (const wire of wires) wire.write("x")
  await eventually(() => wires.every((wire) => wire.statuses.length === 1))
  const refused = wires.filter((wire) => wire.statuses[0] === 503)
  assert.ok(refused.length > 0 && refused.length < wires.length, String(refused.length))
  for (const wire of refused) await wire.closed
  assert.equal(fixture.bodies.length, wires.length - refused.length)
  for (const wire of wires) wire.socket.destroy()
  await eventually(() => fixture.intake.queueBytes === 0)
})

law("while memory is short a post is refused, and its connection goes on", async (t, over) => {
  const fixture = await startFixture(t, over)
  const wire = new Wire(fixture.port, over.tls)
  fixture.intake.setMemoryShort(true)
  wire.write(post("[1]"))
  await eventually(() => wire.statuses.length === 1)
  fixture.intake.setMemoryShort(false)
  wire.write(post("[1]"))
  await eventually(() => wire.statuses.length === 2)
  assert.deepEqual(wire.statuses, [503, 202])
  wire.socket.destroy()
})

law("a silent connection is closed, before and after its first request", async (t, over) => {
  const limits = { headersTimeoutMs: 600, keepAliveTimeoutMs: 1_200, timeoutCheckMs: 200 }
  const fixture = await startFixture(t, { ...over, limits })
  const silent = new Wire(fixture.port, over.tls)
  const done = new Wire(fixture.port, over.tls)
  done.write(post("[1]"))
  await silent.closed
  assert.deepEqual(silent.statuses, [408])
  await done.closed
  assert.deepEqual(done.statuses, [202])
})

law("a request in the ingest queue does not time out", async (t, over) => {
  const { gate, release } = gated()
  const short = { headersTimeoutMs: 200, requestTimeoutMs: 200, keepAliveTimeoutMs: 200 }
  const limits = { ...short, stallTimeoutMs: 200, timeoutCheckMs: 50 }
  const fixture = await startFixture(t, {
    ...over,
    limits,
    run: (task) => gate.then(() => accept(task)),
  })
  const wire = new Wire(fixture.port, over.tls)
  wire.write(post("[1]"))
  await new Promise((resolve) => setTimeout(resolve, 600))
  release()
  await wire.until(() => wire.statuses.length === 1)
  await wire.closed
})

law(
  "a client that never reads its responses is cut off and its memory released",
  async (t, over) => {
    const limits = { stallTimeoutMs: 100, timeoutCheckMs: 20 }
    const fixture = await startFixture(t, {
      ...over,
      limits,
      run: async (task) => refuseAtLength(task),
    })
    const wire = new Wire(fixture.port, over.tls)
    wire.socket.pause()
    await sendUntilCut(t, wire)
    await eventually(() => fixture.intake.queueBytes === 0)
  },
)

law(
  "a client that does not read its last response is cut off, and delays no end",
  async (t, over) => {
    const limits = { stallTimeoutMs: 100, timeoutCheckMs: 20 }
    const fixture = await startFixture(t, {
      ...over,
      limits,
      run: async (task) => refuseAtLength(task, 30_000_000),
    })
    const wires = [0, 1].map(() => new Wire(fixture.port, over.tls))
    for (const wire of wires) {
      wire.socket.pause()
      wire.write(post("[1]", "Connection: close"))
    }
    await eventually(() => fixture.counted.length === 2)
    await fixture.server.close(foreverMs)
    for (const wire of wires) wire.socket.destroy()
  },
)

function refuseAtLength(task: Parameters<typeof answerFor>[0], bytes = 1_000_000) {
  const refusal = { request: 0, detail: "Input Validation Failed", errors: ["x".repeat(bytes)] }
  return { ...answerFor(task, 400), refusals: [refusal] }
}

async function sendUntilCut(t: TestContext, { socket }: Wire): Promise<void> {
  const sending = setInterval(() => socket.destroyed || socket.write(post("[1]")), 2)
  t.after(() => clearInterval(sending))
  // Nothing is read, so only a write detects the end.
  await eventually(() => socket.errored !== null || socket.destroyed)
}

function gated() {
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  return { gate, release }
}
