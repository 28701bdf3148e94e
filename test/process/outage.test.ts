/** Servers that were off for 40 minutes of their clock, or whose clock was ahead at first. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { startServer, storyProgram, type TestServer } from "../support/server/server.ts"
import { answerOnce } from "../support/time/eventually.ts"

const startMs = Date.UTC(2026, 0, 5)
const minuteMs = 60_000
const timed = { "x-service-api-options": "INJECT_TIMESTAMP" }

/** Posts as collectors do, until a cycle is closed. */
async function liveUntilClosed({ client }: TestServer, cycleMs: number): Promise<void> {
  await answerOnce(
    async () => {
      const samples = [{ metricId: "load", val: 1 }]
      const reply = await client.ingest([{ id: "web-1", type: "SERVER", samples }], timed)
      assert.equal(reply.status, 202, reply.text)
      const status = (await client.get("/status")).json<{ cycle: { lastClosed: string } }>()
      return Date.parse(status.cycle.lastClosed)
    },
    // It is far ahead for a moment if the clock was.
    (lastMs) => lastMs >= cycleMs && lastMs < cycleMs + 60 * minuteMs,
  )
}

test("after an outage no policy fires on what did not come, and no check expires", async () => {
  const folder = makeFolder()
  const start = (atMs: number) => {
    return startServer({
      folder,
      program: storyProgram(),
      flags: ["--clock", `${new Date(atMs).toISOString()},x60`],
    })
  }
  const first = await start(startMs)
  try {
    const percent = { metric: "netuitive.metrics.collected.percent", analytic: "actual" }
    const conditions = [{ ...percent, operator: "<", level: 50 }]
    await first.client.post("/policies", { policy: { name: "silent", conditions } })
    const checkCondition = { checkName: "heartbeat" }
    await first.client.post("/policies", { policy: { name: "gone", checkCondition } })
    await liveUntilClosed(first, startMs)
    const check = `/check/${first.client.apiKey}/heartbeat/web-1/600`
    assert.equal((await first.client.send(check, { method: "POST" })).status, 202)
  } finally {
    await first.stop()
  }
  const againMs = startMs + 50 * minuteMs
  const second = await start(againMs)
  try {
    await liveUntilClosed(second, againMs)
    const { incidents } = (await second.client.get("/incidents")).json<{ incidents: unknown[] }>()
    assert.deepEqual(incidents, [])
  } finally {
    await second.stop()
    removeFolder(folder)
  }
})

test("a store that began two hours ahead fires policies once the clock is right", async () => {
  const folder = makeFolder()
  const start = (atMs: number) => {
    const clock = `${new Date(atMs).toISOString()},x60`
    return startServer({ folder, program: storyProgram(), flags: ["--clock", clock] })
  }
  const ahead = await start(startMs + 120 * minuteMs)
  const conditions = [{ metric: "load", analytic: "actual", operator: ">", level: 0 }]
  await ahead.client.post("/policies", { policy: { name: "busy", conditions } })
  await ahead.stop()
  const right = await start(startMs)
  try {
    await liveUntilClosed(right, startMs)
    const { incidents } = (await right.client.get("/incidents")).json<{ incidents: unknown[] }>()
    assert.equal(incidents.length, 1)
    assert.equal((await right.client.get("/health/ready")).status, 200)
  } finally {
    await right.stop()
    removeFolder(folder)
  }
})
