/** Parallel queries: the same bytes as with one thread, also under load and ingest. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { cycleMs, dayMs } from "../../src/model/resolution.ts"
import { startServer, storyProgram } from "../support/server/server.ts"
import type { TestServer } from "../support/server/server.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { sized } from "../support/run/sizes.ts"

const rounds = sized({ quick: 1, long: 8 })
/** Three blocks of one metric. */
const elements = 600
const todayMs = Math.floor(Date.now() / dayMs) * dayMs

async function post(server: TestServer, dayStartMs: number): Promise<void> {
  const payload = Array.from({ length: elements }, (_, i) => ({
    id: `host-${(i * 7) % elements}`,
    type: "SERVER",
    samples: Array.from({ length: 4 }, (__, n) => ({
      metricId: "cpu",
      timestamp: dayStartMs + n * cycleMs + (i % 9) * 1000,
      val: Math.sin(i + n) * 10 ** (i % 5),
    })),
  }))
  for (let from = 0; from < elements; from += 100) {
    const reply = await server.client.ingest(payload.slice(from, from + 100))
    assert.equal(reply.status, 202, reply.text)
  }
}

const window = {
  startTime: new Date(todayMs - 12 * dayMs).toISOString(),
  endTime: new Date(todayMs).toISOString(),
}

async function statistics(server: TestServer, more: Record<string, string>): Promise<string> {
  const { status, text } = await server.client.get("/metrics/statistics", {
    fqn: "cpu",
    ...window,
    ...more,
  })
  assert.equal(status, 200, text)
  return text
}

async function askAll(server: TestServer): Promise<string[]> {
  return Promise.all([
    statistics(server, { rollup: "PT5M" }),
    statistics(server, { rollup: "PT5M", showTimestamps: "true" }),
    statistics(server, { rollup: "PT5M", showValues: "true", showTimestamps: "true" }),
  ])
}

/** Answers of a quarter of a megabyte: not for a difference to be printed. */
function assertSame(got: readonly string[], want: readonly string[]): void {
  for (const [i, text] of want.entries()) assert.ok(got[i] === text, `Answer ${i} differs`)
}

/** Asks a server on this folder, and stops it whatever comes. */
async function serving(
  folder: string,
  flags: readonly string[],
  work: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await startServer({ folder, flags, program: storyProgram() })
  try {
    await work(server)
  } finally {
    assert.equal(await server.stop(), 0)
  }
}

test("three query threads and their helpers give the bytes of one thread", async (t) => {
  const folder = makeFolder()
  t.after(() => removeFolder(folder))
  let want: string[] = []
  await serving(folder, ["--workers=1", "--helpers=0"], async (server) => {
    for (const daysAgo of [9, 3]) await post(server, todayMs - daysAgo * dayMs)
    want = await askAll(server)
    assert.equal(JSON.parse(want[0]!).metrics.length, elements)
  })
  await serving(folder, ["--workers=3", "--helpers=3"], async (server) => {
    for (let round = 0; round < rounds; round++) {
      const [got, again] = await Promise.all([askAll(server), askAll(server)])
      assertSame(got, want)
      assertSame(again, want)
    }
    // Of a day that is not asked for.
    const [got] = await Promise.all([askAll(server), post(server, todayMs - 12.5 * dayMs)])
    assertSame(got, want)
  })
})
