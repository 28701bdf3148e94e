/**
 * Text beyond bounds: floods of tags against a server whose threads have a small heap. The shard's
 * thread lives through all of it, also after restarts, and known elements are taken all the while.
 *
 *   168 elements with 1 MB of tags each ─► 400, memory stays
 *   elements with 60 KB of tags each    ─► 202 up to the limit of text, then 400
 *   restart; restart with less than is stored ─► opens, serves, refuses growth
 */

import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { deliveredProgram } from "../support/project-paths.ts"
import { startServer, type TestServer } from "../support/server/server.ts"

interface TextRunOptions {
  /** Of each thread, in MB. */
  readonly heapMb: number
  /** Elements with 1 MB of tags each. */
  readonly elements: number
  readonly tell: (line: string) => void
}

/** The limit is at most a quarter of the heap. */
const limitMib = 512
/** Memory that refused bodies may leave: garbage and buffers that are kept for the next ones. */
const residentGrowthMax = 250e6

export async function textRun({ heapMb, elements, tell }: TextRunOptions): Promise<void> {
  const folder = makeFolder("tidegauge-text")
  const program = [`--max-old-space-size=${heapMb}`, ...deliveredProgram()]
  const start = (mib: number) =>
    startServer({ folder, program, flags: ["--text-bytes-limit", `${mib}MiB`, "--workers", "1"] })
  let server = await start(limitMib)
  try {
    await known(server)
    const before = residentBytes(server)
    for (let i = 0; i < elements; i++) await refused(server, post(`huge-${i}`, 256, 4000), /65536/)
    const growth = residentBytes(server) - before
    tell(`${elements} elements with 1 MB of tags: refused, ${(growth / 1e6).toFixed(0)} MB more`)
    assert.ok(growth < residentGrowthMax, `${growth} bytes more`)

    const taken = await fill(server, "large", heapMb * 10)
    tell(
      `${taken} elements with 60 KB of tags, then 400; ${textBytes(await figures(server))} bytes`,
    )
    assert.ok(taken > 10 && taken < heapMb * 10)
    await known(server)
    await server.stop()

    server = await start(limitMib)
    const kept = textBytes(await figures(server))
    assert.ok(kept > taken * 60_000, `${kept} bytes after the restart`)
    assert.equal(await fill(server, "more", 50), 0)
    await known(server)
    await server.kill()

    server = await start(1)
    assert.equal(await fill(server, "less", 1), 0)
    await known(server)
    const list = await server.client.get("/elements", { fields: "fqn" })
    assert.equal(list.status, 200, list.text)
    tell(`opened with ${kept} bytes of text and a limit of 1 MiB: known elements go on`)
  } finally {
    await server.kill()
    removeFolder(folder)
  }
}

const post = (id: string, tags: number, length: number) => {
  const text = `${id} `.padEnd(length, "x")
  const list = Array.from({ length: tags }, (_, i) => ({ name: `t${i}`, value: `${i} ${text}` }))
  const samples = [{ metricId: "cpu", timestamp: Date.now(), val: 1 }]
  return [{ id, type: "SERVER", tags: list, samples }]
}

/** Posts elements until one is refused; gives how many were taken. */
async function fill(server: TestServer, name: string, most: number): Promise<number> {
  for (let i = 0; i < most; i++) {
    const reply = await server.client.ingest(post(`${name}-${i}`, 15, 4000))
    if (reply.status === 202) continue
    assert.equal(reply.status, 400, reply.text)
    assert.match(reply.text, /--text-bytes-limit/)
    return i
  }
  return most
}

async function refused(server: TestServer, body: unknown, why: RegExp): Promise<void> {
  const reply = await server.client.ingest(body)
  assert.equal(reply.status, 400, reply.text)
  assert.match(reply.text, why)
}

/** An element that was there from the start is still taken. */
async function known(server: TestServer): Promise<void> {
  const reply = await server.client.ingest(post("known", 3, 10))
  assert.equal(reply.status, 202, reply.text)
}

async function figures(server: TestServer): Promise<string> {
  return (await server.client.get("/metrics/internal")).text
}

function textBytes(page: string): number {
  return Number(/^tidegauge_text_bytes\{tenant="0"\} (\S+)$/m.exec(page)?.[1])
}

function residentBytes({ pid }: TestServer): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}
