/**
 * The restore drill: a server under ingest takes backups to a bucket, is killed in the midst of
 * one, and what is restored gives every answer of the source at the moment of the backup.
 */

import assert from "node:assert/strict"
import { cpSync, existsSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import { openVault } from "../../src/backup/open-vault.ts"
import type { BackupVault } from "../../src/store/backup-vault.ts"
import { listBackups, verifyStore } from "../../src/store/open.ts"
import type { QueryParams } from "../support/server/client.ts"
import { folderOf } from "../support/store/lmdb-folder.ts"
import { noonMs } from "../support/ingest/samples.ts"
import { startS3, type TestS3 } from "../support/network/s3-server.ts"
import {
  apiKey,
  runKilled,
  runProgram,
  startServer,
  type TestServer,
} from "../support/server/server.ts"
import { isLongRun } from "../support/run/sizes.ts"
import { valuesOf } from "../store/lmdb/backup-run.ts"

/** A backup is due each second of the machine. */
const speed = 60
const pollMs = 20
/** Samples are posted faster than the server's clock runs, and it takes none of five minutes ahead. */
const aheadMsMax = 3 * 60_000
/** At most 50 s of the server's clock. */
const postsBetweenLooks = 500

function flagsOf(s3: TestS3): string[] {
  const { vault, endpoint, accessKey, secretKey } = s3.settings()
  const keys = ["--backup-s3-access-key", accessKey!, "--backup-s3-secret-key", secretKey!]
  return ["--backup-to", vault, "--backup-s3-endpoint", endpoint!, ...keys]
}

function schedule(s3: TestS3, startMs: number): string[] {
  const clock = `${new Date(startMs).toISOString()},x${speed}`
  return [...flagsOf(s3), "--clock", clock, "--backup-every", "PT1M", "--backup-keep", "5"]
}

async function until(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  // The test ends by its own limit if it never is.
  for (let polls = 0; !(await isTrue()); polls++) {
    assert.ok(polls < 3000, `Expected ${what}`)
    await wait(pollMs)
  }
}

/** Posts the numbers from 0 on, one after the other, until it is stopped or the server ends. */
function ingesting(server: TestServer, first: number) {
  const state = { next: first, isStopped: false, error: null as Error | null }
  const run = async (): Promise<void> => {
    while (!state.isStopped) {
      const i = state.next
      const timestamp = noonMs + i * 100
      if (i % postsBetweenLooks === 0) {
        const isNear = async () => timestamp < (await clockOf(server)) + aheadMsMax
        await until("the clock of the server", isNear)
      }
      const samples = [{ metricId: "count", timestamp, val: i }]
      const body = [{ id: `host-${i % 50 === 0 ? i : i % 7}`, type: "SERVER", samples }]
      const reply = await server.client.ingest(body)
      assert.equal(reply.status, 202, reply.text)
      state.next = i + 1
    }
  }
  const done = run().catch((error: Error) => (state.error = error))
  /** Resolves to the number after the newest that was acknowledged; `isKilled`: by the test. */
  const stop = async (isKilled = false): Promise<number> => {
    state.isStopped = true
    await done
    if (state.error !== null && !isKilled) throw state.error
    return state.next
  }
  return { stop }
}

/** Answers about everything that was stored up to a moment, by request. */
async function answersOf({ client }: TestServer, endMs: number): Promise<Map<string, string>> {
  const window = { startTime: noonMs - 3_600_000, endTime: endMs }
  const hosts = Array.from({ length: 7 }, (_, i) => `host-${i}`)
  const requests: [path: string, params: QueryParams][] = [
    ["/elements", { fields: "id,fqn,name,type,location,attributes" }],
    ["/events", window],
    ...["/dashboards", "/policies", "/checks", "/users"].map((path): [string, QueryParams] => [
      path,
      {},
    ]),
    ...["ZERO", "PT5M", "PT1H"].flatMap((rollup): [string, QueryParams][] => [
      ["/metrics/statistics", { ...window, fqn: "count", rollup }],
      ...hosts.map((host): [string, QueryParams] => [
        `/elements/${host}/metrics/count/samples`,
        { ...window, rollup },
      ]),
    ]),
  ]
  const answers = new Map<string, string>()
  for (const [path, params] of requests) {
    const { status, text } = await client.get(path, params)
    const request = `${path} ${JSON.stringify(params)}`
    assert.equal(status, 200, `${request}: ${text}`)
    answers.set(request, text)
  }
  return answers
}

/** A server that ends with its test: one that was left held up a run for 40 minutes. */
async function serverOf(
  t: TestContext,
  options: Parameters<typeof startServer>[0],
): Promise<TestServer> {
  const server = await startServer(options)
  t.after(() => server.kill())
  return server
}

async function clockOf({ client }: TestServer): Promise<number> {
  return (await client.send("/time")).json<{ epochMillis: number }>().epochMillis
}

async function newest(vault: BackupVault): Promise<number> {
  return (await listBackups(vault)).at(-1)?.takenMs ?? 0
}

async function restoreInto(folder: string, s3: TestS3, name: string): Promise<void> {
  const argv = ["restore", s3.settings().vault, "--name", name, "--data", folder]
  const { status, output } = await runProgram([...argv, ...flagsOf(s3).slice(2)])
  assert.equal(status, 0, output)
}

/** It takes half a minute; test/backup and the test of a killed restore are the quick size. */
const longOnly = { skip: !isLongRun && "in the long size only" }

test("a server is killed in a backup, what is restored answers as before", longOnly, async (t) => {
  const s3 = await startS3(t)
  const vault = await openVault(s3.settings(), { pause: (ms) => wait(ms) })
  const folder = folderOf(t)

  // Two backups under ingest, then a kill while the next one waits for the bucket.
  const first = await serverOf(t, { folder, flags: schedule(s3, noonMs) })
  const events = [{ type: "INFO", title: "before", data: { elementId: "host-1" } }]
  const posted = { method: "POST", body: events }
  assert.equal((await first.client.send(`/ingest/events/${apiKey}`, posted)).status, 202)
  const dashboard = { name: "Drill", layout: "{}" }
  assert.ok((await first.client.post("/dashboards", { dashboard })).status < 300)
  const load = ingesting(first, 0)
  await until("two backups", async () => (await listBackups(vault)).length >= 2)
  s3.fault = (method, path) => (method === "PUT" && path.includes("/chunks/") ? "silence" : "none")
  const before = s3.requests.length
  await until("a hanging backup", () =>
    s3.requests.slice(before).some((one) => one.startsWith("PUT") && one.includes("/chunks/")),
  )
  await first.kill()
  const killed = await load.stop(true)
  s3.fault = () => "none"
  for (const { name, problem } of (await listBackups(vault)).slice(-2)) {
    assert.equal(problem, null)
    const copy = folderOf(t)
    await restoreInto(copy, s3, name)
    const values = await valuesOf(copy)
    assert.deepEqual(
      values,
      Array.from(values, (_, i) => i),
    )
    assert.ok(values.length <= killed + 1)
    assert.deepEqual((await verifyStore(copy)).problems, [])
  }

  // The missed backup is taken; then one when all is stored, whose answers are those of the source.
  const startMs = noonMs + killed * 100 + 3_600_000
  const second = await serverOf(t, { folder, flags: schedule(s3, startMs) })
  const more = ingesting(second, killed + 1)
  await until("a backup after the kill", async () => (await newest(vault)) >= startMs)
  const count = await more.stop()
  const restMs = await clockOf(second)
  await until("a backup at rest", async () => (await newest(vault)) > restMs)
  const moment = noonMs + count * 100
  const wanted = await answersOf(second, moment)
  const health = (await second.client.send("/health/ready")).json<{ backup: object }>()
  assert.ok("lastSuccess" in health.backup)
  const { text: figures } = await second.client.get("/metrics/internal")
  assert.match(figures, /^tidegauge_backup_last_success_timestamp_seconds 1[67]\d{8}/m)
  const endMs = await clockOf(second)
  assert.equal(await second.stop(), 0)

  const argv = ["restore", s3.settings().vault, ...flagsOf(s3).slice(2)]
  const listed = await runProgram([...argv, "--list"])
  assert.equal(listed.status, 0, listed.output)
  const last = (await listBackups(vault)).at(-1)!
  assert.match(listed.output, new RegExp(`^${last.name} `, "m"))
  const checked = await runProgram([...argv, "--check"])
  assert.equal(checked.status, 0, checked.output)
  assert.match(checked.output, new RegExp(`${last.name} of .* can be restored: \\d+ values`))

  const target = join(folderOf(t), "store")
  await restoreInto(target, s3, last.name)
  cpSync(join(folder, "secrets.key"), join(target, "secrets.key"))
  const clock = new Date(endMs).toISOString()
  const drilled = await serverOf(t, { folder: target, flags: ["--clock", clock] })
  assert.deepEqual(await answersOf(drilled, moment), wanted)
  assert.equal(await drilled.stop(), 0)

  const again = await runProgram([...argv, "--data", target])
  assert.equal(again.status, 1)
  assert.match(again.output, /has a store already/)
})

test("a restore that is killed leaves nothing that starts, until it is repeated", async (t) => {
  const s3 = await startS3(t)
  const vault = await openVault(s3.settings(), { pause: (ms) => wait(ms) })
  const folder = folderOf(t)
  const server = await serverOf(t, { folder, flags: schedule(s3, noonMs) })
  const load = ingesting(server, 0)
  await until("a backup", async () => (await listBackups(vault)).length >= 1)
  await load.stop()
  assert.equal(await server.stop(), 0)
  const { name } = (await listBackups(vault)).at(-1)!

  const target = folderOf(t)
  // The last chunk does not come, so that the restore waits until the server of S3 ends it.
  s3.fault = (method, path) => (method === "GET" && path.includes("/chunks/") ? "silence" : "none")
  const { vault: to } = s3.settings()
  const argv = ["restore", to, "--name", name, "--data", target, ...flagsOf(s3).slice(2)]
  const before = s3.requests.length
  await runKilled(argv, () =>
    until("a chunk", () =>
      s3.requests.slice(before).some((one) => one.startsWith("GET") && one.includes("/chunks/")),
    ),
  )
  s3.fault = () => "none"
  assert.ok(existsSync(join(target, "restore-new")))
  const refused = await runProgram(["--port", "0", "--data", target])
  assert.equal(refused.status, 1)
  assert.match(refused.output, /A restore into ".*" was not finished: run it again/)
  await restoreInto(target, s3, name)
  assert.deepEqual((await verifyStore(target)).problems, [])
})

test("a server stops while its bucket does not answer", async (t) => {
  const s3 = await startS3(t)
  const folder = folderOf(t)
  s3.fault = () => "silence"
  const server = await serverOf(t, { folder, flags: schedule(s3, noonMs) })
  await until("a call", () => s3.requests.length > 0)
  assert.equal(await server.stop(), 0)
  assert.match(server.output(), /"stopped"/)
  assert.doesNotMatch(server.output(), /the backup failed/)
})
