/** Malicious archives: each is rejected with a bound on its memory, long before it is inflated. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { ServiceError } from "../../src/base/errors.ts"
import { readPackage } from "../../src/packages/content.ts"
import { archiveLimits } from "../../src/packages/limits.ts"
import { unzip } from "../../src/packages/unzip.ts"
import {
  judgeNothing,
  packageArchive,
  packageFiles,
  policyFile,
} from "../support/packages/package-files.ts"
import { isLongRun } from "../support/run/sizes.ts"
import { manyEntries, rawZip, type RawEntry } from "../support/packages/raw-zip.ts"

const mib = 1024 * 1024
const zeros = (bytes: number) => Buffer.alloc(bytes)
/** Does not deflate below a hundredth. */
const dense = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, i) => (i * i) >> 4))

/** Reads an archive as an installation does; in the long size with less than 100 MiB of memory. */
async function refused(archive: Uint8Array, problem: RegExp, what: string): Promise<void> {
  const before = process.memoryUsage().rss
  const read = unzip(archive).then((files) => readPackage(files, judgeNothing))
  const error = await read.then(
    () => null,
    (one: unknown) => one,
  )
  assert.ok(error instanceof ServiceError, `${what}: ${String(error)}`)
  assert.equal(error.code, "invalid", what)
  assert.match(error.problems.join("\n"), problem, what)
  const more = process.memoryUsage().rss - before
  assert.ok(!isLongRun || more < 100 * mib, `${what} took ${more} bytes`)
}

const one = (entry: Partial<RawEntry>): Buffer =>
  rawZip([{ name: "a.json", content: "{}", ...entry }])

test("paths that leave the folder, or are ambiguous, are rejected", async () => {
  const names: [string, RegExp][] = [
    ["../a.json", /without "\.", "\.\."/],
    ["a/../../b.json", /without "\.", "\.\."/],
    ["a/./b.json", /without "\."/],
    ["a//b.json", /empty parts/],
    ["/etc/passwd", /a relative name/],
    ["C:/a.json", /a relative name/],
    ["c:a.json", /a relative name/],
    ["a\\..\\b.json", /not a backslash/],
    ["\\\\server\\share", /not a backslash/],
    ["a\0.json", /without control characters/],
    ["a\n.json", /without control characters/],
    ["", /1 to 512 characters/],
    ["x".repeat(513), /1 to 512 characters/],
  ]
  for (const [name, problem] of names) await refused(one({ name }), problem, name.slice(0, 20))
})

test("paths that collide on case-insensitive file systems are rejected", async () => {
  const pairs = [
    ["a.json", "a.json"],
    ["A.json", "a.json"],
    ["caf\u00e9.json", "cafe\u0301.json"],
    ["a", "a/"],
  ]
  for (const pair of pairs) {
    const archive = rawZip(pair.map((name) => ({ name, content: "" })))
    await refused(archive, /differ by more than case/, pair.join(" and "))
  }
})

test("links, devices, encryption and unknown compression are rejected", async () => {
  for (const type of [0xa000, 0x2000, 0x6000, 0x1000, 0xc000]) {
    await refused(one({ attributes: (type << 16) >>> 0 }), /a plain file or a folder/, `${type}`)
  }
  await refused(one({ flags: 1 }), /no encryption/, "encrypted")
  await refused(one({ flags: 0x41 }), /encryption/, "strongly encrypted")
  await refused(one({ method: 12 }), /stored or deflated/, "bzip2")
})

test("bombs are rejected by their declared sizes", async () => {
  await refused(one({ content: zeros(4 * mib) }), /at most 100 bytes from one/, "ratio")
  await refused(one({ content: zeros(9 * mib) }), /at most 8388608 bytes/, "entry")
  const piece = dense(1024)
  const large = Buffer.concat(Array.from({ length: 8 * 1024 }, () => piece))
  const many = Array.from({ length: 9 }, (_, i) => ({ name: `${i}`, content: large, method: 0 }))
  await refused(rawZip(many), /at most 67108864 bytes when inflated, got 75497472/, "total")
  const lying = { content: zeros(64 * mib), declared: { size: 8 * mib, packed: 100_000 } }
  await refused(one(lying), /archive|a\.json/, "a large bomb that says it is small")
})

test("false sizes and checksums are rejected", async () => {
  const content = dense(50_000)
  await refused(one({ content, declared: { size: 10_000 } }), /too many bytes/, "larger than said")
  await refused(
    one({ content, declared: { size: 60_000 } }),
    /not enough bytes/,
    "smaller than said",
  )
  await refused(one({ content, declared: { crc: 1 } }), /checksum/, "checksum")
  await refused(one({ content, declared: { packed: 5_000_000 } }), /overflows/, "beyond the end")
  await refused(one({ content, method: 0, declared: { size: 9 } }), /size mismatch/, "stored")
})

test("entries that share bytes are rejected", async () => {
  const entries = [
    { name: "a", content: "x".repeat(300) },
    { name: "b", content: "x".repeat(300), at: 0 },
  ]
  await refused(rawZip(entries), /bytes of its own, it overlaps/, "twice the same bytes")
})

test("too many entries are rejected before they are read", async () => {
  const limit = archiveLimits.entriesMax
  await refused(manyEntries(1_000_000), /at most 1000 entries, got 1000000/, "a million")
  const some = Array.from({ length: limit + 1 }, (_, i) => ({ name: `${i}`, method: 0 }))
  await refused(rawZip(some), /at most 1000 entries, got 1001/, "one more than the limit")
})

test("an archive truncated anywhere is rejected, and so are other bytes", async () => {
  const whole = Buffer.from(await packageArchive({ policies: { "a.json": policyFile("A") } }))
  for (let at = 0; at < whole.length; at += 7) {
    await refused(whole.subarray(0, at), /archive: expected a whole ZIP archive/, `cut at ${at}`)
  }
  await refused(Buffer.from("no archive at all"), /whole ZIP archive/, "text")
  // Whatever bit is turned, it is read or refused, and never anything else.
  for (let at = 0; at < whole.length; at += 3) {
    const turned = Buffer.from(whole)
    turned[at]! ^= 1 << (at % 8)
    await unzip(turned).catch((error: unknown) => {
      assert.ok(
        error instanceof ServiceError && error.code === "invalid",
        `${at}: ${String(error)}`,
      )
    })
  }
})

test("deep and large JSON is rejected before it is parsed", async () => {
  const file = "policies/a.json"
  const policies = { "a.json": policyFile("A") }
  const deep = packageFiles({ policies, more: { [file]: "[".repeat(1_000_000) } })
  await refused(
    rawZip(entriesOf(deep, 0)),
    /policies\/a\.json: expected JSON nested at most/,
    "deep",
  )
  const wide = packageFiles({ policies, more: { [file]: `[${"1,".repeat(2 * mib)}1]` } })
  await refused(rawZip(entriesOf(wide, 0)), /a\.json: expected at most 2097152 bytes/, "large")
  const bytes = packageFiles({ policies }).set(file, Buffer.from([0x22, 0xff, 0x22]))
  await refused(rawZip(entriesOf(bytes, 8)), /a\.json: expected a text in UTF-8/, "no text")
  const names = JSON.stringify(policyFile("A")).replace(
    '"duration"',
    '"__proto__":{"x":1},"duration"',
  )
  const polluted = packageFiles({ policies, more: { [file]: names } })
  readPackage(await unzip(rawZip(entriesOf(polluted, 8))), judgeNothing)
  assert.equal(({} as { x?: number }).x, undefined)
})

function entriesOf(files: ReadonlyMap<string, Uint8Array>, method: number): RawEntry[] {
  return [...files].map(([name, content]) => ({ name, content, method }))
}
