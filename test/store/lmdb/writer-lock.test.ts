import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { setImmediate } from "node:timers/promises"
import { ServiceError } from "../../../src/base/errors.ts"
import { acquireWriterLock } from "../../../src/store/lmdb/disk/writer-lock.ts"
import { needsScan, scanStore, repairStore, verifyStore } from "../../../src/store/open.ts"
import { folderOf, openWriter, writing } from "../../support/store/lmdb-folder.ts"
import { append, noonMs, plain } from "../../support/ingest/samples.ts"

const isOpen = (pid: number) => (error: unknown) =>
  error instanceof ServiceError && error.message.includes(`open in process ${pid}`)

test("pages are not checked while another process writes", async (t) => {
  const folder = folderOf(t)
  await writing(folder, (writer) => append(writer, [plain(noonMs, 1)]))
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"])
  t.after(() => other.kill())
  await once(other, "spawn")
  const pid = other.pid!
  acquireWriterLock(folder, pid)

  assert.equal(needsScan(folder), false)
  assert.throws(() => scanStore(folder), isOpen(pid))
  assert.throws(() => openWriter(folder), isOpen(pid))
  await assert.rejects(verifyStore(folder), isOpen(pid))
  await assert.rejects(repairStore(folder, noonMs), isOpen(pid))

  other.kill()
  await once(other, "exit")
  assert.equal(needsScan(folder), true)
  assert.deepEqual(scanStore(folder), [])
  assert.deepEqual((await verifyStore(folder)).problems, [])
})

test("a process that was killed holds no store, even before it is reaped", async (t) => {
  const folder = folderOf(t)
  await writing(folder, (writer) => append(writer, [plain(noonMs, 1)]))
  // The program that replaces the shell, sleep, never waits for the child that it takes over.
  const script = "sleep 60 & echo $!; exec sleep 60"
  const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] })
  t.after(() => parent.kill())
  const [bytes] = (await once(parent.stdout, "data")) as [Buffer]
  const pid = Number(bytes.toString())
  // Until then it is the shell, which may wait for its child.
  const program = () => readFileSync(`/proc/${parent.pid}/comm`, "latin1").trim()
  while (program() !== "sleep") await setImmediate()
  acquireWriterLock(folder, pid)
  assert.throws(() => openWriter(folder), isOpen(pid))
  process.kill(pid, "SIGKILL")
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"))) await setImmediate()
  await openWriter(folder).close()
})
