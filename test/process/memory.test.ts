import assert from "node:assert/strict"
import { test } from "node:test"
import { memoryBytesMin } from "../../src/base/limits.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { createMemoryCgroup } from "../support/machine/memory-cgroup.ts"
import { isLongRun } from "../support/run/sizes.ts"
import { startServer } from "../support/server/server.ts"

const mib = 1024 ** 2
const limitBytes = 512 * mib
const elements = 400
const elementsPerPost = 20
const metricsPerElement = 50

function elementOf(element: number): object {
  const samples = Array.from({ length: metricsPerElement }, (_, i) => ({
    metricId: `metric-${i}`,
    timestamp: Date.now(),
    val: element + i,
  }))
  return { id: `host-${element}`, type: "SERVER", samples }
}

function figure(text: string, name: string): number {
  return Number(new RegExp(`^tidegauge_${name} (.*)$`, "m").exec(text)?.[1])
}

test("in a control group of 512 MiB it plans with that, and 20,000 series fit", async (t) => {
  const group = createMemoryCgroup(limitBytes)
  // bench/sizing.ts runs 100,000 series for an hour; it needs the same right.
  if (group === null) return t.skip("SKIPPED: no control groups with limits may be made here")
  const folder = makeFolder("tidegauge-memory")
  const server = await startServer({ folder, enter: (command) => group.enter(command) })
  t.after(async () => {
    await server.kill()
    group.remove()
    removeFolder(folder)
  })
  assert.match(server.output(), /"limit":\{"bytes":536870912,"source":"\/sys\/fs\/cgroup\//)
  for (let from = 0; from < elements; from += elementsPerPost) {
    const body = Array.from({ length: elementsPerPost }, (_, i) => elementOf(from + i))
    const reply = await server.client.ingest(body)
    assert.equal(reply.status, 202, reply.text)
  }
  const reply = await server.client.get("/metrics/statistics", { fqn: "metric-1" })
  assert.equal(reply.json<{ metrics: unknown[] }>().metrics.length, elements)
  const { text } = await server.client.get("/metrics/internal")
  assert.equal(figure(text, "memory_limit_bytes"), limitBytes)
  assert.equal(figure(text, "series"), elements * metricsPerElement)
  assert.equal(figure(text, "memory_short_total"), 0)
  const { anonymousBytes, kills } = group.figures()
  assert.equal(kills, 0)
  const used = figure(text, "memory_used_bytes")
  t.diagnostic(`${Math.round(used / mib)} MiB used, ${Math.round(anonymousBytes / mib)} charged`)
  assert.ok(used > 0 && (!isLongRun || used < memoryBytesMin))
  assert.equal(await server.stop(), 0, server.output())
})
