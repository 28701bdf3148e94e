/** The promises of every vault: a folder, and a bucket on a server of S3. */

import assert from "node:assert/strict"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { openVault } from "../../src/backup/open-vault.ts"
import { S3Vault } from "../../src/backup/s3-vault.ts"
import { ServiceError } from "../../src/base/errors.ts"
import { isFolderBackup, listBackups, restoreFromVault } from "../../src/store/open.ts"
import { backUpLmdbToVault } from "../../src/store/lmdb/backup/vault-backup.ts"
import type { BackupVault } from "../../src/store/backup-vault.ts"
import { folderOf, writing } from "../support/store/lmdb-folder.ts"
import { s3Bucket, s3Keys, startS3, type Fault, type TestS3 } from "../support/network/s3-server.ts"
import { counting, valuesOf } from "../store/lmdb/backup-run.ts"

const pause = async (): Promise<void> => {}

const isStorage = (pattern: RegExp) => (error: unknown) =>
  error instanceof ServiceError && error.code === "storage" && pattern.test(error.message)

function folderVault(t: TestContext): Promise<BackupVault> {
  const settings = { endpoint: null, region: "", accessKey: null, secretKey: null }
  return openVault({ vault: join(folderOf(t), "a", "b"), ...settings }, { pause })
}

async function bucketVault(t: TestContext): Promise<BackupVault> {
  return openVault((await startS3(t)).settings(), { pause })
}

for (const [kind, open] of [
  ["folder", folderVault],
  ["bucket", bucketVault],
] as const) {
  test(`a ${kind} has the files that were written, whole and by path`, async (t) => {
    const vault = await open(t)
    assert.deepEqual(await vault.list("chunks"), [])
    assert.equal(await vault.read("backups/none.json"), null)
    const large = Buffer.alloc(3 * 2 ** 20, 7)
    await vault.write("chunks/ab/abc", Buffer.from("one"))
    await vault.write("chunks/ab/abc", Buffer.from("three"))
    await vault.write("backups/x.json", large)
    assert.deepEqual(await vault.read("chunks/ab/abc"), Buffer.from("three"))
    assert.ok((await vault.read("backups/x.json"))!.equals(large))
    assert.deepEqual(await vault.list("chunks"), [{ path: "chunks/ab/abc", bytes: 5 }])
    await vault.remove("chunks/ab/abc")
    await vault.remove("chunks/ab/abc")
    assert.deepEqual(await vault.list("chunks"), [])
  })

  test(`a ${kind} keeps backups, of which every one is restored`, async (t) => {
    const vault = await open(t)
    const folder = folderOf(t)
    const wanted: number[][] = []
    for (let i = 0; i < 3; i++) {
      await writing(folder, (writer) => {
        const load = counting(writer, i, 0)
        for (let step = 0; step < 20; step++) load.step()
      })
      wanted.push(await valuesOf(folder))
      await take(folder, vault, i)
    }
    const all = await listBackups(vault)
    assert.equal(all.length, 3)
    for (const [i, { name, problem }] of all.entries()) {
      assert.equal(problem, null)
      const target = folderOf(t)
      await restoreFromVault(vault, name, target)
      assert.deepEqual(await valuesOf(target), wanted[i])
    }
  })
}

function take(folder: string, vault: BackupVault, i: number) {
  const takenMs = Date.UTC(2026, 0, 5, i)
  const rest = { store: "one", keep: 9, nowMs: Date.now, isStopping: () => false }
  return backUpLmdbToVault({ folder, vault, takenMs, pace: (work) => work(), ...rest }, 64 * 1024)
}

/** A page of a list as S3 answers it; s3rver makes no second one on current versions of Node. */
function listPage(keys: readonly string[], next: string | null): string {
  const contents = keys.map((key) => `<Contents><Key>${key}</Key><Size>7</Size></Contents>`)
  const token = next === null ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`
  const state = `<IsTruncated>${next !== null}</IsTruncated>${token}`
  const head = '<?xml version="1.0" encoding="UTF-8"?>'
  return `${head}<ListBucketResult>${state}${contents.join("")}</ListBucketResult>`
}

test("a list of a bucket has all of its pages", async (t) => {
  const pages = [listPage(["p/chunks/a", "p/chunks/b"], "x/+="), listPage(["p/chunks/c"], null)]
  const asked: (string | null)[] = []
  const server = createServer((call, answer) => {
    const { searchParams } = new URL(call.url!, "http://127.0.0.1")
    asked.push(searchParams.get("continuation-token"))
    answer.setHeader("Content-Type", "application/xml")
    answer.end(pages[asked.length - 1])
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close())
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { vault: "s3://bucket/p", endpoint, region: "us-east-1", ...s3Keys }
  const found = await (await openVault(settings, { pause })).list("chunks")
  const paths = ["chunks/a", "chunks/b", "chunks/c"]
  assert.deepEqual(
    found,
    paths.map((path) => ({ path, bytes: 7 })),
  )
  assert.deepEqual(asked, [null, "x/+="])
})

/** Calls fail as `faults` says, one after the other, and then no more. */
function failing(s3: TestS3, faults: readonly Fault[]): void {
  let call = 0
  s3.fault = () => faults[call++] ?? "none"
}

test("a bucket whose server fails for a while is asked again", async (t) => {
  const s3 = await startS3(t)
  const deps = { pause, timeoutMs: 1_000 }
  const { endpoint, region } = s3.settings()
  const keys = { bucket: s3Bucket, prefix: "p", endpoint: endpoint!, region, ...s3Keys }
  const vault = new S3Vault(keys, deps)
  const bytes = Buffer.alloc(100_000, 3)
  for (const fault of ["answer 503", "cut request", "cut answer", "silence"] as const) {
    failing(s3, [fault, fault])
    await vault.write("chunks/a", bytes)
    failing(s3, [fault])
    assert.deepEqual(await vault.read("chunks/a"), bytes, fault)
    failing(s3, [fault])
    assert.equal((await vault.list("chunks")).length, 1, fault)
    failing(s3, [fault])
    await vault.remove("chunks/a")
  }
  s3.fault = () => "answer 503"
  const before = s3.requests.length
  const told = new RegExp(`^s3://${s3Bucket}/p failed at "chunks/a": the server answers 503`)
  await assert.rejects(vault.write("chunks/a", bytes), isStorage(told))
  assert.equal(s3.requests.length - before, 5)
})

test("bytes that change on the way are noticed by the sum that comes back", async (t) => {
  const s3 = await startS3(t)
  const vault = await openVault(s3.settings(), { pause })
  failing(s3, ["damage"])
  await vault.write("chunks/a", Buffer.from("content"))
  assert.deepEqual(await vault.read("chunks/a"), Buffer.from("content"))
  s3.fault = (method) => (method === "PUT" ? "damage" : "none")
  await assert.rejects(vault.write("chunks/b", Buffer.from("x")), isStorage(/bytes differ/))
})

test("wrong keys and a bucket that is missing are reported without a retry", async (t) => {
  const s3 = await startS3(t)
  const settings = s3.settings()
  const wrong = await openVault({ ...settings, secretKey: "other-secret" }, { pause })
  await assert.rejects(wrong.write("chunks/a", Buffer.from("x")), isStorage(/answers 403/))
  assert.equal(s3.requests.length, 1)
  const missing = await openVault({ ...settings, vault: "s3://nowhere/p" }, { pause })
  await assert.rejects(
    missing.list("chunks"),
    isStorage(/s3:\/\/nowhere\/p failed .* no such bucket/),
  )
  await assert.rejects(openVault({ ...settings, accessKey: null }, { pause }), /needs --backup-s3/)
})

test("a backup to a bucket that fails midway leaves the one before", async (t) => {
  const s3 = await startS3(t)
  const vault = await openVault(s3.settings(), { pause })
  const folder = folderOf(t)
  await writing(folder, (writer) => counting(writer, 1, 0).step())
  await take(folder, vault, 1)
  let puts = 0
  s3.fault = (method) => (method === "PUT" && ++puts > 1 ? "cut request" : "none")
  await writing(folder, (writer) => {
    const load = counting(writer, 2, 0)
    for (let step = 0; step < 200; step++) load.step()
  })
  await assert.rejects(take(folder, vault, 2), isStorage(/failed at/))
  s3.fault = () => "none"
  const all = await listBackups(vault)
  assert.equal(all.length, 1)
  await restoreFromVault(vault, null, folderOf(t))
  await take(folder, vault, 3)
  const target = folderOf(t)
  await restoreFromVault(vault, null, target)
  assert.deepEqual(await valuesOf(target), await valuesOf(folder))
})

test("a folder that cannot be written names file and reason", async (t) => {
  const file = join(folderOf(t), "file")
  writeFileSync(file, "")
  const settings = { endpoint: null, region: "", accessKey: null, secretKey: null }
  const vault = await openVault({ vault: file, ...settings }, { pause })
  await assert.rejects(vault.write("chunks/a", Buffer.from("x")), isStorage(/file.*ENOTDIR|EEXIST/))
  assert.equal(existsSync(join(file, "chunks")), false)
})

test("a write that was interrupted leaves nothing that counts, and is removed", async (t) => {
  const base = folderOf(t)
  const settings = { endpoint: null, region: "", accessKey: null, secretKey: null }
  const vault = await openVault({ vault: base, ...settings }, { pause })
  const folder = folderOf(t)
  await writing(folder, (writer) => counting(writer, 1, 0).step())
  await take(folder, vault, 1)
  const [shelf] = readdirSync(join(base, "chunks"))
  const left = join(base, "chunks", shelf!, `${shelf}${"0".repeat(62)}.new`)
  writeFileSync(left, "half")
  assert.equal((await take(folder, vault, 2)).removedChunks, 1)
  assert.equal(existsSync(left), false)
  assert.equal(isFolderBackup(base), false)
})
