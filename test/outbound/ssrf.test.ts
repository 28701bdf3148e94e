/** No call goes to an address that is not public: sixty ways to try, and what is allowed. */

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import fc from "fast-check"
import { ServiceError } from "../../src/base/errors.ts"
import { isAllowed, parseAllowedAddresses } from "../../src/outbound/address-policy.ts"
import { fetchPublic, Outbound } from "../../src/outbound/outbound.ts"
import { delay, listen, type Listener } from "./listener.ts"
import { freePort } from "../support/network/free-port.ts"

let four: Listener
let six: Listener

before(async () => {
  const answer = ({ path }: { path: string }) => {
    const to = new URLSearchParams(path.split("?")[1]).get("to")
    if (to !== null) return { status: 302, headers: { location: to } }
    return { status: 200, body: path === "/large" ? "x".repeat(5_000) : "secret" }
  }
  const port = await freePort()
  four = await listen(answer, { port })
  six = await listen(answer, { host: "::1", port })
})

after(async () => {
  await four.close()
  await six.close()
})

const limits = { bytesMax: 1_000, timeoutMs: 2_000 }
const connections = () => four.connections() + six.connections()

/** Names of these tests' resolver; any other name does not resolve. */
const names: Readonly<Record<string, readonly string[]>> = {
  "local.test": ["127.0.0.1"],
  localhost: ["127.0.0.1"],
  "localhost.": ["127.0.0.1"],
  "sub.localhost": ["127.0.0.1"],
  "six.test": ["::1"],
  "private.test": ["10.0.0.1"],
  "metadata.test": ["169.254.169.254"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "mixed.test": ["93.184.215.14", "127.0.0.1"],
  "none.test": [],
  "odd.test": ["0x7f000001"],
  "short.test": ["127.1"],
  "zone.test": ["fe80::1%lo"],
  "many.test": Array.from({ length: 40 }, () => "93.184.215.14"),
}

function outboundOf(allowed: string | null = null) {
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    const found = names[host]
    if (found === undefined) throw new Error("ENOTFOUND")
    return found
  }
  const ranges = allowed === null ? [] : parseAllowedAddresses(allowed)!
  return { asked, outbound: new Outbound({ resolve, allowed: ranges, delay }) }
}

/** PORT is replaced by the listener's port. */
const forbidden: readonly string[] = [
  "http://127.0.0.1:PORT/",
  "http://127.0.0.1.:PORT/",
  "http://127.1:PORT/",
  "http://127.0.1:PORT/",
  "http://2130706433:PORT/",
  "http://0x7f000001:PORT/",
  "http://0x7f.0.0.1:PORT/",
  "http://0177.0.0.1:PORT/",
  "http://0177.0.0.01:PORT/",
  "http://017700000001:PORT/",
  "http://127.8.8.8:PORT/",
  "http://0:PORT/",
  "http://0.0.0.0:PORT/",
  "http://%31%32%37.0.0.1:PORT/",
  "http://①②⑦.⓪.⓪.①:PORT/",
  "http://127。0。0。1:PORT/",
  "http:\\\\127.0.0.1:PORT\\",
  "http:127.0.0.1:PORT/",
  "http://127.0.0.1\t:PORT/",
  "http://[::1]:PORT/",
  "http://[::]:PORT/",
  "http://[0:0:0:0:0:0:0:1]:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://[::ffff:7f00:1]:PORT/",
  "http://[::127.0.0.1]:PORT/",
  "http://[64:ff9b::127.0.0.1]:PORT/",
  "http://[64:ff9b:1::7f00:1]:PORT/",
  "http://[2002:7f00:1::]:PORT/",
  "http://[2001:0:7f00:1::]:PORT/",
  "http://[::ffff:0:127.0.0.1]:PORT/",
  "http://[fe80::1]:PORT/",
  "http://[fec0::1]:PORT/",
  "http://[fc00::1]:PORT/",
  "http://[fd12:3456::1]:PORT/",
  "http://[ff02::1]:PORT/",
  "http://[2001:db8::1]:PORT/",
  "http://[100::1]:PORT/",
  "http://[4000::1]:PORT/",
  "http://10.0.0.1:PORT/",
  "http://172.16.0.1:PORT/",
  "http://192.168.1.1:PORT/",
  "http://169.254.169.254/latest/meta-data/",
  "http://100.64.0.1:PORT/",
  "http://198.18.0.1:PORT/",
  "http://192.0.0.8:PORT/",
  "http://192.0.2.1:PORT/",
  "http://224.0.0.1:PORT/",
  "http://240.0.0.1:PORT/",
  "http://255.255.255.255:PORT/",
  "http://public.test@127.0.0.1:PORT/",
  "http://user:pass@93.184.215.14:PORT/",
  "http://93.184.215.14:22/",
  "http://93.184.215.14:6379/",
  "ftp://127.0.0.1:PORT/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:PORT/_x",
  "unix:/var/run/docker.sock",
  "data:text/plain,x",
  "javascript:1",
  "//127.0.0.1:PORT/",
  "",
  `http://93.184.215.14/${"x".repeat(3_000)}`,
  ...Object.keys(names).map((name) => `http://${name}:PORT/`),
]

test(`${forbidden.length} targets are refused, and nothing is connected to`, async () => {
  assert.ok(forbidden.length >= 60)
  const { outbound } = outboundOf()
  for (const form of forbidden) {
    const url = form.replace("PORT", String(four.port))
    for (const method of ["GET", "POST"] as const) {
      await assert.rejects(
        outbound.call({ method, url, body: "x", ...limits }),
        (error) => error instanceof ServiceError && error.code === "invalid",
        url,
      )
    }
  }
  assert.equal(connections(), 0)
})

test("a name is resolved once a hop: changing the answer gains nothing", async () => {
  let asked = 0
  // First an allowed address without a listener, then the intended one.
  const resolve = async () => [asked++ === 0 ? "127.0.0.3" : "127.0.0.1"]
  const allowed = parseAllowedAddresses("127.0.0.3")!
  const outbound = new Outbound({ resolve, allowed, delay })
  const url = `http://rebind.test:${four.port}/`
  await assert.rejects(fetchPublic(url, { outbound, ...limits }), /ECONNREFUSED/)
  await assert.rejects(fetchPublic(url, { outbound, ...limits }), /expected a public address/)
  assert.equal(asked, 2)
  assert.equal(connections(), 0)
})

test("each redirect is checked, at most three are followed, and none of a POST", async () => {
  const { outbound, asked } = outboundOf("127.0.0.1")
  const at = (path: string, to?: string) =>
    `http://127.0.0.1:${four.port}${path}${to === undefined ? "" : `?to=${encodeURIComponent(to)}`}`
  const before = six.connections()
  for (const to of [
    `http://[::1]:${four.port}/`,
    "http://10.0.0.1/",
    "file:///x",
    "http://six.test",
  ])
    await assert.rejects(fetchPublic(at("/", to), { outbound, ...limits }), ServiceError, to)
  assert.equal(six.connections(), before)
  assert.deepEqual(asked, ["six.test"])
  const three = at("/", at("/", at("/", at("/end"))))
  assert.equal(Buffer.from(await fetchPublic(three, { outbound, ...limits })).toString(), "secret")
  await assert.rejects(fetchPublic(at("/", three), { outbound, ...limits }), /at most 3 redirects/)
  const count = four.connections()
  const posted = await outbound.call({ method: "POST", url: at("/", at("/end")), ...limits })
  assert.equal(posted.status, 302)
  assert.equal(four.connections(), count + 1)
})

test("bytes and time are bounded, and headers that frame a request are ours", async () => {
  const { outbound } = outboundOf("127.0.0.0/8")
  const url = `http://local.test:${four.port}/large`
  await assert.rejects(fetchPublic(url, { outbound, ...limits }), /at most 1000 bytes/)
  const silent = await listen(() => ({ status: 200 }))
  const never = new Outbound({ resolve: () => new Promise(() => {}), allowed: "all", delay })
  await assert.rejects(
    fetchPublic("http://slow.test/", { outbound: never, bytesMax: 10, timeoutMs: 50 }),
    /no answer within 50 ms/,
  )
  const headers = { Host: "other", "Content-Length": "1", "X-Mine": "1" }
  const target = `http://127.0.0.1:${silent.port}/`
  await outbound.call({ method: "POST", url: target, headers, body: "abc", ...limits })
  const [received] = silent.received
  assert.equal(received!.headers.host, `127.0.0.1:${silent.port}`)
  assert.equal(received!.headers["x-mine"], "1")
  assert.equal(received!.body, "abc")
  await assert.rejects(
    outbound.call({ method: "POST", url: target, headers: { "x-a": "1\r\nx-b: 2" }, ...limits }),
    ServiceError,
  )
  await silent.close()
})

test("messages of failures show no path, query or password of the URL", async () => {
  const { outbound } = outboundOf("127.0.0.1")
  for (const url of [
    "http://127.0.0.1:9/hush?hush=1",
    "http://hush:hush@a.test/",
    "http://10.1.1.1/hush",
  ])
    await assert.rejects(fetchPublic(url, { outbound, ...limits }), (error: Error) => {
      assert.doesNotMatch(error.message, /hush/)
      return true
    })
})

test("what the operator allows is allowed, in either family's spelling", () => {
  const allowed = parseAllowedAddresses("10.0.0.0/8, fd00::/8, 127.0.0.1")!
  for (const good of ["10.9.8.7", "::ffff:10.9.8.7", "fd00::1", "127.0.0.1", "93.184.215.14"])
    assert.ok(isAllowed(good, allowed), good)
  for (const bad of ["11.0.0.1.1", "192.168.0.1", "127.0.0.2", "fc00::1", "::1", "010.0.0.1", ""])
    assert.ok(!isAllowed(bad, allowed), bad)
  assert.ok(isAllowed("127.0.0.1", parseAllowedAddresses("all")!))
  for (const text of ["", "10.0.0.0/33", "10.1/8", "all,10.0.0.0/8", "x", "010.0.0.0/8"])
    assert.equal(parseAllowedAddresses(text), undefined, text)
})

test("every IPv4 address in a private or special block is refused, in every spelling", () => {
  const blocks = [
    [0, 8],
    [10, 8],
    [127, 8],
    [224, 4],
    [240, 4],
  ] as const
  fc.assert(
    fc.property(fc.constantFrom(...blocks), fc.nat({ max: 2 ** 24 - 1 }), ([first], rest) => {
      const number = first * 2 ** 24 + rest
      for (const form of [String(number), `0x${number.toString(16)}`, `0${number.toString(8)}`]) {
        const { hostname } = new URL(`http://${form}/`)
        assert.ok(!isAllowed(hostname, []), form)
      }
    }),
  )
})
