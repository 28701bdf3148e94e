import assert from "node:assert/strict"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { test, type TestContext } from "node:test"
import { disconnectSignal } from "../../src/http/shared/client-disconnect.ts"
import { Wire } from "./ingest-fixture.ts"

/** A server that answers a request when `answer` is called. */
async function slowServer(t: TestContext) {
  const signals: AbortSignal[] = []
  let answer = (): void => assert.fail("Expected a request")
  const server: Server = createServer((incoming, outgoing) => {
    signals.push(disconnectSignal(incoming, outgoing))
    answer = () => void outgoing.end("done")
  })
  Object.assign(server, { httpAllowHalfOpen: true })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  const wire = new Wire((server.address() as AddressInfo).port)
  const asked = async (version = "1.1") => {
    wire.write(`GET / HTTP/${version}\r\nHost: a\r\n\r\n`)
    while (signals.length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    return signals[0]!
  }
  return { wire, asked, answer: () => answer() }
}

const left = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()))

test("a reset or fully closed connection is a disconnect", async (t) => {
  for (const leave of ["resetAndDestroy", "destroy"] as const) {
    const { wire, asked } = await slowServer(t)
    const signal = await asked()
    wire.socket[leave]()
    await left(signal)
  }
})

test("a half-closed client gets its response, after interim ones", async (t) => {
  const { wire, asked, answer } = await slowServer(t)
  const signal = await asked()
  wire.socket.end()
  await wire.until(() => wire.statuses.length >= 2)
  answer()
  await wire.closed
  assert.deepEqual(new Set(wire.statuses.slice(0, -1)), new Set([102]))
  assert.equal(wire.statuses.at(-1), 200)
  assert.match(wire.received, /done$/)
  assert.equal(signal.aborted, false)
})

test("a connected client gets no interim response and no disconnect", async (t) => {
  const { wire, asked, answer } = await slowServer(t)
  const signal = await asked()
  // Longer than the time between two looks.
  await new Promise((resolve) => setTimeout(resolve, 600))
  answer()
  await wire.until((received) => received.endsWith("done"))
  wire.socket.destroy()
  await wire.closed
  assert.deepEqual(wire.statuses, [200])
  assert.equal(signal.aborted, false)
})
