/** Files and headers of the web interface. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { useServer } from "../support/server/server.ts"

const client = useServer({ flags: ["--base-url", "https://example.com/monitoring/"] })

async function fetchPage(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(client().url + path, { headers, redirect: "manual" })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

async function entryName(): Promise<string> {
  const { bytes } = await fetchPage("/app/")
  return /src="(main-\w+\.js)"/.exec(bytes.toString())![1]!
}

test("every path below /app/ gets the page, with its base below that of --base-url", async () => {
  for (const path of ["/app/", "/app/explore", "/app/elements/a%2Fb", "/app/nothing.js"]) {
    const { response, bytes } = await fetchPage(path)
    assert.equal(response.status, 200)
    assert.match(bytes.toString(), /<base href="\/monitoring\/app\/" ?\/?>/)
    assert.equal(response.headers.get("cache-control"), "no-cache")
  }
})

test("the page is not sent again if it has not changed", async () => {
  const { response } = await fetchPage("/app/")
  const etag = response.headers.get("etag")!
  const again = await fetchPage("/app/", { "If-None-Match": etag })
  assert.equal(again.response.status, 304)
  assert.equal(again.bytes.length, 0)
})

test("a script may be cached without a limit and has the same bytes in every coding", async () => {
  const path = `/app/${await entryName()}`
  const of = async (coding: string) => {
    const { response, bytes } = await fetchPage(path, { "Accept-Encoding": coding })
    assert.match(response.headers.get("cache-control")!, /immutable/)
    assert.equal(response.headers.get("vary"), "Accept-Encoding")
    return bytes
  }
  const [plain, brotli, gzip] = [await of("identity"), await of("br"), await of("gzip")]
  assert.ok(plain.equals(brotli.length === plain.length ? brotli : brotliDecompressSync(brotli)))
  assert.ok(plain.equals(gzip.length === plain.length ? gzip : gunzipSync(gzip)))
})

test("pages may not be framed, load nothing from elsewhere and make no HTML of texts", async () => {
  const { response } = await fetchPage("/app/")
  const policy = response.headers.get("content-security-policy")!
  for (const part of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for",
  ]) {
    assert.ok(policy.includes(part), part)
  }
  assert.doesNotMatch(policy, /unsafe|https?:/)
  assert.equal(response.headers.get("referrer-policy"), "no-referrer")
})
