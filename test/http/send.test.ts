import assert from "node:assert/strict"
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http"
import { connect, type AddressInfo } from "node:net"
import { once } from "node:events"
import { Writable } from "node:stream"
import { setImmediate as turn } from "node:timers/promises"
import { test, type TestContext } from "node:test"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { acceptedCoding, codingFor, sendResponse } from "../../src/http/shared/send.ts"
import { StaticText } from "../../src/http/shared/static-text.ts"
import { ReservedAnswer } from "../../src/query/query.ts"
import { eventually } from "../support/time/eventually.ts"

const partBytes = 256 * 1024

/** Parts that do not compress well, and what is held of them. */
function heldAnswer(count: number) {
  let state = 1
  const next = () => (state = (state * 48_271) % 0x7fffffff)
  const parts = Array.from({ length: count }, () => Uint8Array.from({ length: partBytes }, next))
  const state_ = { heldBytes: count * partBytes }
  const answer = new ReservedAnswer(parts, (bytes) => (state_.heldBytes -= bytes))
  return { answer, whole: Buffer.concat(parts), state: state_ }
}

async function served(t: TestContext, handle: (response: ServerResponse) => void): Promise<number> {
  const server = createServer((_, response) => handle(response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

async function got(port: number, method = "GET"): Promise<{ head: IncomingMessage; body: Buffer }> {
  const [head] = (await once(request({ port, method }).end(), "response")) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of head) chunks.push(chunk as Buffer)
  return { head, body: Buffer.concat(chunks) }
}

const json = { "Content-Type": "application/json" }

test("the coding is the one that the client prefers, brotli before gzip", () => {
  const f = (header: string | undefined, want: string | null) =>
    assert.equal(acceptedCoding(header), want, header)
  f(undefined, null)
  f("", null)
  f("identity", null)
  f("gzip", "gzip")
  f("gzip, deflate, br", "br")
  f("br;q=0.5, gzip", "gzip")
  f("gzip;q=0, br;q=0", null)
  f("*", "br")
  f("*;q=0.1, br;q=0", "gzip")
  f("GZIP", "gzip")
  f("zstd, x-gzip", null)
})

test("an answer to this machine is not compressed, unless a proxy forwards it", () => {
  const f = (remoteAddress: string, more: Record<string, string>, want: string | null) => {
    const headers = { host: "localhost", "accept-encoding": "gzip", ...more }
    assert.equal(codingFor({ headers, httpVersion: "1.1", socket: { remoteAddress } }), want)
  }
  f("127.0.0.1", {}, null)
  f("::1", {}, null)
  f("127.0.0.1", { "x-forwarded-for": "192.0.2.1" }, "gzip")
  f("192.0.2.1", {}, "gzip")
  f("192.0.2.1", { "accept-encoding": "identity" }, null)
})

test("every byte arrives in each coding, and all memory is released", async (t) => {
  for (const coding of [null, "gzip", "br"] as const) {
    for (const count of [1, 5]) {
      const { answer, whole, state } = heldAnswer(count)
      const port = await served(t, (response) => {
        void sendResponse(response, { status: 200, headers: json, body: answer }, () => coding)
      })
      const { head, body } = await got(port)
      const decoded =
        coding === null ? body : coding === "gzip" ? gunzipSync(body) : brotliDecompressSync(body)
      assert.ok(decoded.equals(whole), `${coding} ${count}`)
      assert.equal(head.headers["content-encoding"], coding ?? undefined)
      assert.equal(head.headers.vary, "Accept-Encoding")
      assert.equal(head.headers["x-content-type-options"], "nosniff")
      if (coding === null) assert.equal(head.headers["content-length"], String(whole.length))
      await eventually(() => state.heldBytes === 0)
    }
  }
})

test("an answer of a few packets is not compressed", async (t) => {
  const port = await served(t, (response) => {
    const body = new ReservedAnswer([Buffer.alloc(4_095, "a")], () => {})
    void sendResponse(response, { status: 200, headers: json, body }, () => "gzip")
  })
  const { head, body } = await got(port)
  assert.equal(String(body), "a".repeat(4_095))
  assert.equal(head.headers["content-encoding"], undefined)
})

test("parts are released as they are read, and the rest on a disconnect", async (t) => {
  for (const coding of [null, "gzip"] as const) {
    const { answer, state } = heldAnswer(60)
    const port = await served(t, (response) => {
      void sendResponse(response, { status: 200, headers: json, body: answer }, () => coding)
    })
    const socket = connect(port, "127.0.0.1")
    socket.on("error", () => {})
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    await once(socket, "data")
    socket.pause()
    // The system buffers some megabytes; the rest waits here.
    let before = Infinity
    await eventually(() => {
      const isQuiet = state.heldBytes === before
      before = state.heldBytes
      return isQuiet
    })
    assert.ok(state.heldBytes > 20 * partBytes, `Expected most to wait, got ${state.heldBytes}`)
    socket.resume()
    await eventually(() => state.heldBytes < before)
    socket.destroy()
    await eventually(() => state.heldBytes === 0)
  }
})

test("a part is held until the connection has accepted it", async () => {
  const { answer, state } = heldAnswer(4)
  const accepting: (() => void)[] = []
  const connection = new Writable({
    highWaterMark: partBytes,
    write: (_part, _encoding, accept) => void accepting.push(accept),
  })
  const outgoing = Object.assign(connection, { writeHead: () => {} })
  const sent = sendResponse(
    outgoing as unknown as ServerResponse,
    { status: 200, headers: json, body: answer },
    () => null,
  )
  for (let left = 4; left > 0; left--) {
    await eventually(() => accepting.length === 5 - left)
    // Whatever the stream does ahead of the connection, it has done.
    await turn()
    assert.equal(state.heldBytes, left * partBytes)
    accepting.at(-1)!()
  }
  await sent
  assert.equal(state.heldBytes, 0)
})

test("a static text is compressed once for each coding", async () => {
  let made = 0
  const text = new StaticText(() => `${made++} `.repeat(5_000))
  assert.equal(text.encodedAs(null), text.encodedAs(null))
  assert.equal(text.encodedAs("br"), text.encodedAs("br"))
  const plain = String(await text.encodedAs(null))
  assert.equal(String(brotliDecompressSync(await text.encodedAs("br"))), plain)
  assert.equal(String(gunzipSync(await text.encodedAs("gzip"))), plain)
  assert.equal(made, 1)
})
