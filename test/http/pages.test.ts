/** Files and headers of the web interface. */

import assert from "node:assert/strict"
import { test } from "node:test"
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

const preloadsOf = (page: Buffer) =>
  [...page.toString().matchAll(/<link rel="modulepreload" href="([\w-]+)-\w+\.js">/g)]
    .map(([, name]) => name)
    .sort()

test("the page links to the scripts of its path that the entry lacks", async () => {
  const scripts: Readonly<Record<string, readonly string[]>> = {
    "": ["home-page", "shared"],
    explore: ["explore-page"],
    "explore/?q=cpu.total": ["explore-page"],
    "elements/a%2Fb?tab=alerts": ["element-page", "shared"],
    "incidents/0f6c1a5e-4a86-4b52-9d7c-0a7c7f2b9a10": ["incident-page", "shared"],
    "settings/profile": ["profile-page"],
    "sign-in": [],
    elements: [],
    "explore/more": [],
    "nothing.js": [],
    "%": [],
    "constructor/__proto__": [],
  }
  const entries = new Set<string>()
  for (const [path, names] of Object.entries(scripts)) {
    const { bytes } = await fetchPage(`/app/${path}`)
    entries.add([...bytes.toString().matchAll(/"(main-[^"]+)"/g)].map(([, name]) => name).join())
    assert.deepEqual(preloadsOf(bytes), names, path)
    for (const [, name] of bytes.toString().matchAll(/(?:href|src)="([\w-]+\.(?:js|css))"/g)) {
      const { response } = await fetchPage(`/app/${name}`)
      assert.match(response.headers.get("content-type")!, /javascript|css/, name)
    }
  }
  // By these the pages see whether the server has another build.
  assert.equal(entries.size, 1)
})

test("every file goes out compressed, the page too", async () => {
  const page = await fetchPage("/app/explore", { "Accept-Encoding": "identity" })
  const names = page.bytes.toString().matchAll(/(?:href|src)="([\w-]+\.(?:js|css))"/g)
  for (const name of ["explore", ...[...names].map(([, one]) => one)]) {
    const plain = await fetchPage(`/app/${name}`, { "Accept-Encoding": "identity" })
    for (const coding of ["br", "gzip"]) {
      const coded = await fetchPage(`/app/${name}`, { "Accept-Encoding": coding })
      assert.equal(coded.response.headers.get("content-encoding"), coding, name)
      assert.equal(coded.response.headers.get("vary"), "Accept-Encoding", name)
      assert.ok(coded.bytes.equals(plain.bytes), name)
    }
  }
})

test("the page is not sent again if it has not changed", async () => {
  const { response } = await fetchPage("/app/")
  const etag = response.headers.get("etag")!
  const again = await fetchPage("/app/", { "If-None-Match": etag })
  assert.equal(again.response.status, 304)
  assert.equal(again.bytes.length, 0)
})

test("a script may be cached without a limit", async () => {
  const { response } = await fetchPage(`/app/${await entryName()}`)
  assert.match(response.headers.get("cache-control")!, /immutable/)
})

test("the icon of the tab is a file with the headers of the others", async () => {
  const { bytes } = await fetchPage("/app/")
  const name = /<link rel="icon" [^>]*href="(icon-\w+\.svg)"/.exec(bytes.toString())![1]!
  const { response, bytes: icon } = await fetchPage(`/app/${name}`)
  assert.equal(response.headers.get("content-type"), "image/svg+xml")
  assert.match(response.headers.get("cache-control")!, /immutable/)
  assert.match(response.headers.get("content-security-policy")!, /^default-src 'none'/)
  assert.match(icon.toString(), /^<svg xmlns='http:\/\/www\.w3\.org\/2000\/svg'/)
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
