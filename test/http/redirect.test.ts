import assert from "node:assert/strict"
import { once } from "node:events"
import { request as openRequest, type IncomingMessage } from "node:http"
import { test } from "node:test"
import { listenForRedirect, locationOf } from "../../src/http/redirect.ts"
import { Wire } from "./ingest-fixture.ts"

test("the address is that of --base-url, or the host of the request with the port of TLS", () => {
  const f = (
    host: string | undefined,
    tlsPort: number,
    baseUrl: string | null,
    want: string | null,
  ) => assert.equal(locationOf("/a?b=c", host, { tlsPort, baseUrl }), want)

  f("tide.example", 443, null, "https://tide.example/a?b=c")
  f("tide.example:80", 8443, null, "https://tide.example:8443/a?b=c")
  f("[::1]:80", 443, null, "https://[::1]/a?b=c")
  f("x", 8443, "https://tide.example/under", "https://tide.example/a?b=c")
  f("x", 8443, "http://tide.example", "https://x:8443/a?b=c")
  for (const host of [undefined, "", "a b", "a/b", "a@b", "a:b", "[x]", "a#"])
    f(host, 443, null, null)
  assert.equal(locationOf("*", "a", { tlsPort: 443, baseUrl: null }), null)
  assert.equal(locationOf("http://b/", "a", { tlsPort: 443, baseUrl: null }), null)
})

test("each request is answered 308, health and ingest too, and closed", async (t) => {
  const options = { host: "127.0.0.1", port: 0, tlsPort: 8443, baseUrl: null }
  const { port, close } = await listenForRedirect(options)
  t.after(close)
  for (const [method, path] of [
    ["GET", "/health/live"],
    ["POST", "/ingest/0123456789abcdef"],
  ] as const) {
    const to = { port, host: "127.0.0.1", method, path, agent: false }
    const sent = openRequest({ ...to, headers: { host: "tide" } })
    sent.end(method === "POST" ? "x".repeat(1_000_000) : undefined)
    const [response] = (await once(sent, "response")) as [IncomingMessage]
    response.resume()
    assert.equal(response.statusCode, 308)
    assert.equal(response.headers.location, `https://tide:8443${path}`)
    assert.equal(response.headers.connection, "close")
    await once(response, "end")
  }
  const wire = new Wire(port)
  wire.write("GET / HTTP/1.1\r\nHost: a b\r\n\r\n")
  await wire.closed
  assert.deepEqual(wire.statuses, [400])
})

test("a port in use names --http-redirect", async (t) => {
  const options = { host: "127.0.0.1", port: 0, tlsPort: 443, baseUrl: null }
  const { port, close } = await listenForRedirect(options)
  t.after(close)
  const again = listenForRedirect({ ...options, port })
  await assert.rejects(again, /Port \d+ is in use; choose another with --http-redirect/)
})
