/**
 * More series and larger answers than the memory is planned for: `node --import tsx
 * bench/faults/memory.ts [seconds]`. In a control group of 448 MiB, with three times the planned
 * series and without pause, the server must refuse with 503, and be neither killed nor lose what it
 * acknowledged.
 */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { memoryBytesMin } from "../../src/base/limits.ts"
import { createMemoryCgroup } from "../../test/support/machine/memory-cgroup.ts"
import { runProgram, startServer, type TestServer } from "../../test/support/server/server.ts"

const limitBytes = memoryBytesMin
const metricsPerElement = 50
/** 300,000 series. */
const elements = 6_000
const elementsPerPost = 40
const posters = 8
const askers = 4
/** As `Retry-After` asks for, in short. */
const retryMs = 500

const [secondsText = "60"] = process.argv.slice(2)
const untilMs = performance.now() + Number(secondsText) * 1000

const group = createMemoryCgroup(limitBytes)
if (group === null) throw new Error("Expected the right to make control groups with a limit")
// On a disk: a store in memory would be charged to the group.
const folder = mkdtempSync(join(tmpdir(), "tidegauge-memory-"))
const server = await startServer({
  folder,
  flags: ["--series-limit", "1000000", "--answers-limit", "1GiB"],
  enter: (command) => group.enter(command),
})
const counts = new Map<string, number>()
let acknowledged = 0
let next = 0
const workers = [
  ...Array.from({ length: posters }, () => post(server)),
  ...Array.from({ length: askers }, () => ask(server)),
]
// A server that ends breaks its connections.
await Promise.allSettled(workers)
const { kills, peakBytes } = group.figures()
const series = await seriesCount(server)
const ended = server.isRunning() ? await server.stop() : await server.ended()
const verified = await runProgram(["verify", "--data", folder])
group.remove()
rmSync(folder, { recursive: true })
for (const [what, count] of [...counts].sort()) console.log(`${what}: ${count}`)
console.log(`${series} series, ${Math.round(peakBytes / 1024 ** 2)} MiB charged at most`)
const broken = [
  kills > 0 ? `${kills} processes were killed for want of memory` : null,
  ended === 0 ? null : `the server ended with ${ended}: ${server.output().slice(-1000)}`,
  verified.status === 0 ? null : verified.output,
  series >= acknowledged ? null : `${acknowledged} series were acknowledged, ${series} are known`,
].filter((sentence) => sentence !== null)
for (const sentence of broken) console.log(sentence)
if (broken.length > 0) process.exitCode = 1

/** Element by element, again and again; what is refused is sent again. */
async function post(one: TestServer): Promise<void> {
  while (performance.now() < untilMs && one.isRunning()) {
    const from = next
    next += elementsPerPost
    const body = Array.from({ length: elementsPerPost }, (_, i) => elementOf((from + i) % elements))
    let status = 0
    while (status !== 202 && performance.now() < untilMs) {
      status = (await one.client.ingest(body)).status
      count(`posts ${status}`)
      if (status !== 202) await wait(retryMs)
    }
    if (status === 202 && from < elements) acknowledged += elementsPerPost * metricsPerElement
  }
}

function elementOf(element: number): object {
  const samples = Array.from({ length: metricsPerElement }, (_, i) => ({
    metricId: `group-${i % 5}.metric-${i}`,
    timestamp: Date.now(),
    val: element + i,
  }))
  return { id: `host-${element}`, type: "SERVER", samples }
}

/** The buckets of one metric of all elements. */
async function ask(one: TestServer): Promise<void> {
  while (performance.now() < untilMs && one.isRunning()) {
    const params = { fqn: "group-0.metric-0", rollup: "PT5M", showValues: true }
    const { status } = await one.client.get("/metrics/statistics", params)
    count(`queries ${status}`)
    if (status === 503) await wait(retryMs)
  }
}

async function seriesCount(one: TestServer): Promise<number> {
  if (!one.isRunning()) return -1
  const { text } = await one.client.send("/metrics/internal")
  const short = /^tidegauge_memory_short_total (.*)$/m.exec(text)?.[1]
  const collections = /^tidegauge_memory_collections_total (.*)$/m.exec(text)?.[1]
  console.log(`memory was short ${short} times, ${collections} collections`)
  return Number(/^tidegauge_series (.*)$/m.exec(text)?.[1])
}

function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
