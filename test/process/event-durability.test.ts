import assert from "node:assert/strict"
import { test } from "node:test"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { apiKey, startServer, storyProgram } from "../support/server/server.ts"

test("a killed server keeps every event and check that it accepted", async () => {
  const folder = makeFolder("tidegauge-events")
  const server = await startServer({ folder, program: storyProgram() })
  const accepted: string[] = []
  const send = async (i: number) => {
    const body = [{ type: "INFO", title: `t${i}`, data: { elementId: `e${i}` } }]
    const path = `/ingest/events/${apiKey}`
    try {
      const { status } = await server.client.send(path, { method: "POST", body })
      if (status !== 202) return
      accepted.push(`t${i}`)
      // In the same turn as the answer: nothing may be left for later.
      if (accepted.length === 100) server.signal("SIGKILL")
    } catch {
      // The connection ended with the server; no client had an acknowledgement.
    }
  }
  const check = `/check/${apiKey}/heartbeat/web/60`
  assert.equal((await server.client.send(check, { method: "POST" })).status, 202)
  await Promise.all(Array.from({ length: 200 }, (_, i) => send(i)))
  assert.equal(await server.ended(), "SIGKILL")
  server.client.close()

  const again = await startServer({ folder, program: storyProgram() })
  try {
    const { events } = (await again.client.get("/events")).json<{ events: { title: string }[] }>()
    const kept = new Set(events.map(({ title }) => title))
    assert.ok(accepted.length >= 100)
    assert.deepEqual(
      accepted.filter((title) => !kept.has(title)),
      [],
    )
    const { checks } = (await again.client.get("/checks")).json<{ checks: { name: string }[] }>()
    assert.deepEqual(
      checks.map(({ name }) => name),
      ["heartbeat"],
    )
  } finally {
    await again.stop()
    removeFolder(folder)
  }
})
