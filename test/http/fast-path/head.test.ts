import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { HeadReader } from "../../../src/http/ingest/fast-path/head.ts"

const limits = { headerBytesMax: 1_000, headerCountMax: 20 }

function read(reader: HeadReader, text: string) {
  const isPlain = reader.read(Buffer.from(text, "latin1"))
  if (!isPlain) return null
  const { target, headers, headBytes, bodyBytes, isLast } = reader
  return { target, headers, headBytes, bodyBytes, isLast }
}

function fresh(text: string) {
  return read(new HeadReader(limits), text)
}

const bare = (...lines: string[]) => ["POST /ingest/k HTTP/1.1", ...lines, "", ""].join("\r\n")
const head = (...lines: string[]) => bare("Host: a:1", ...lines)

test("the heads of common clients are plain", () => {
  const f = (text: string, bodyBytes: number, headers: object = {}) => {
    const target = { apiKey: "k", kind: null }
    const want = { target, headers, headBytes: text.length, bodyBytes, isLast: false }
    assert.deepEqual(fresh(text), want)
    assert.deepEqual(fresh(`${text}[]`), want)
  }
  const json = { "content-type": "application/json" }
  f(head("Content-Length: 0"), 0)
  f(bare("Content-Length: 12", "host:"), 12)
  f(head("User-Agent: curl/7.88.1", "Accept: */*", "Content-Length: 12"), 12)
  f(
    head(
      "User-Agent: python-requests/2.31",
      "Accept-Encoding: gzip, deflate",
      "Accept: */*",
      "Connection: keep-alive",
      "content-type: application/json",
      "Content-Length:\t 5870 ",
    ),
    5870,
    json,
  )
  const options = { ...json, "x-netuitive-api-options": "SEND_RESPONSE_BODY, a" }
  const lines = ["Content-Type: application/json", "X-Netuitive-Api-Options:SEND_RESPONSE_BODY, a"]
  f(head(...lines, "Content-Length: 1"), 1, options)
})

test("anything but one plain post with a length is left to node:http", () => {
  const f = (text: string) => assert.equal(fresh(text), null, JSON.stringify(text))
  const good = head("Content-Length: 2")
  f("")
  f(good.slice(0, -1))
  f(good.replaceAll("\r\n", "\n"))
  f(good.replace("POST", "GET"))
  f(good.replace("POST", "post"))
  f(good.replace("1.1", "1.0"))
  f(good.replace("POST ", "POST  "))
  f(good.replace("/ingest", "http://a/ingest"))
  f(good.replace("/ingest/k", "/ingest/events/k"))
  f(good.replace("/ingest/k", "/metrics"))
  f(good.replace("/k", "/k\xe9"))
  f(`\r\n${good}`)
  f(head())
  f(bare("Content-Length: 2"))
  f(head("Host: a:1", "Content-Length: 2"))
  f(head("Content-Length: 2", "HOST: b"))
  f(head("Content-Length: 2", "Content-Length: 2"))
  f(head("Content-Length: 2, 2"))
  for (const length of ["", "+2", "-2", "0x2", "2e0", "2 2", "9999999999999"]) {
    f(head(`Content-Length: ${length}`))
  }
  for (const line of [
    "Transfer-Encoding: chunked",
    "transfer-encoding:",
    "Content-Encoding: identity",
    "Expect: 100-continue",
    "Upgrade: h2c",
    "Trailer: x",
    "Connection: upgrade",
    "Connection: keep-alive, x",
    "Content-Length : 2",
    " folded: x",
    "X: a\0b",
    "X: a\nb",
    "X: a\rb",
    "X\0: b",
    "X: \x7f",
    "X: caf\xe9",
    ": x",
    "X",
  ]) {
    f(head("Content-Length: 2", line))
    f(head(line, "Content-Length: 2"))
  }
  f(head("Content-Type: a", "Content-Type: b", "Content-Length: 2"))
  f(head("Content-Length: 2", ...Array.from({ length: 19 }, (_, i) => `X-${i}: y`)))
  f(head("Content-Length: 2", `X: ${"y".repeat(1_000)}`))
})

test("a reader with a known head reads the next one like a new reader", () => {
  const piece = fc.constantFrom(
    "POST /ingest/k HTTP/1.1\r\nHost: a\r\n",
    "POST /ingest/j/k HTTP/1.1\r\n",
    "GET / HTTP/1.1\r\n",
    "Content-Length: 2\r\n",
    "Content-Length: 31\r\n",
    "Content-Length: 12x\r\n",
    "Connection: close\r\n",
    "Host: a:1\r\n",
    "Content-Type: a\r\n",
    "Transfer-Encoding: chunked\r\n",
    "\r\n",
    "[]",
    "1",
  )
  const cut = fc.integer({ min: 0, max: 40 })
  const text = fc.oneof(
    fc.constantFrom(2, 3, 17, 123456).map((length) => head(`Content-Length: ${length}`)),
    fc
      .constantFrom(2, 3, 17)
      .map((length) => head(`Content-Length: ${length}`, "Connection: close")),
    fc.array(piece, { minLength: 2, maxLength: 6 }).map((pieces) => pieces.join("")),
    cut.map((at) => head("Content-Length: 2").slice(0, -at)),
    cut.map((at) => head("Content-Length: 2").replace(/./, "").slice(at)),
  )
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 8 }), (texts) => {
      const reader = new HeadReader(limits)
      for (const one of texts) assert.deepEqual(read(reader, one), fresh(one), JSON.stringify(one))
    }),
    { numRuns: 2_000 },
  )
})
