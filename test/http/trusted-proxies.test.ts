/** The address of a client behind proxies: only what trusted ones say counts. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { TrustedProxies } from "../../src/http/live/trusted-proxies.ts"

const loopback = ["127.0.0.0/8", "::1/128"]

function clientOf(remoteAddress: string | undefined, forwarded?: string, ranges = loopback) {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded }
  return new TrustedProxies(ranges).clientOf({ headers, socket: { remoteAddress } })
}

test("without a header, or from another machine, the connection says who calls", () => {
  assert.equal(clientOf("127.0.0.1"), "127.0.0.1")
  assert.equal(clientOf(undefined, "203.0.113.7"), undefined)
  assert.equal(clientOf("198.51.100.1", "203.0.113.7"), "198.51.100.1")
  assert.equal(clientOf("127.0.0.1", "203.0.113.7", []), "127.0.0.1")
})

test("the last address that is no trusted proxy's is the client's, whatever is before it", () => {
  assert.equal(clientOf("127.0.0.1", "203.0.113.7"), "203.0.113.7")
  assert.equal(clientOf("::ffff:127.0.0.1", "203.0.113.7"), "203.0.113.7")
  assert.equal(clientOf("::1", "1.2.3.4, 203.0.113.7"), "203.0.113.7")
  const both = [...loopback, "10.0.0.0/8"]
  assert.equal(clientOf("127.0.0.1", "1.2.3.4, 203.0.113.7, 10.0.0.2", both), "203.0.113.7")
  assert.equal(clientOf("127.0.0.1", "1.2.3.4, 203.0.113.7, 10.0.0.2"), "10.0.0.2")
  assert.equal(clientOf("127.0.0.1", "10.0.0.3, 10.0.0.2", both), "10.0.0.3")
})

test("addresses have ports and brackets; what is no address ends the search", () => {
  assert.equal(clientOf("127.0.0.1", "203.0.113.7:4711"), "203.0.113.7")
  assert.equal(clientOf("127.0.0.1", "[2001:db8::7]:443"), "2001:db8::7")
  assert.equal(clientOf("127.0.0.1", "2001:db8::7"), "2001:db8::7")
  for (const forwarded of ["unknown", "", "1.2.3.4, <script>", "999.1.1.1"]) {
    assert.equal(clientOf("127.0.0.1", forwarded), "127.0.0.1", forwarded)
  }
})

test("a reloaded setting makes another list, the same one does not", () => {
  const proxies = new TrustedProxies(loopback)
  assert.equal(proxies.with(loopback), proxies)
  const request = { headers: { "x-forwarded-for": "1.2.3.4" }, socket: { remoteAddress: "::1" } }
  assert.equal(proxies.with([]).clientOf(request), "::1")
})
