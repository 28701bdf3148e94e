/** Notifications in the store are delivered after the start, and then removed. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { outboxChanges } from "../../src/notify/outbox.ts"
import { openWriteStore } from "../../src/store/open.ts"
import { messageAt, startMs } from "../notify/test-delivery.ts"
import { listen } from "../outbound/listener.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { startServer, storyProgram } from "../support/server/server.ts"
import { eventually } from "../support/time/eventually.ts"

const flags = ["--allow-private-addresses", "127.0.0.0/8"]
const dayMs = 86_400_000

function openStore(folder: string) {
  return openWriteStore({
    folder,
    retentionMs: { ZERO: 15 * dayMs, PT5M: 90 * dayMs, PT1H: 395 * dayMs, PT24H: 1825 * dayMs },
    cycleGraceMs: 60_000,
    elapsedMs: () => performance.now(),
    warn: () => {},
  })
}

test("a notice in the store reaches its receiver after the next start", async (t) => {
  const folder = makeFolder("tidegauge-outbox")
  t.after(() => removeFolder(folder))
  const receiver = await listen()
  t.after(() => receiver.close())
  const first = await startServer({ folder, flags, program: storyProgram() })
  const properties = { name: "hook", url: `http://127.0.0.1:${receiver.port}/hook` }
  const notification = { type: "webhook", properties }
  const made = await first.client.post("/notifications", { notification })
  const { id } = made.json<{ notification: { id: number } }>().notification
  await first.stop()

  const notices = [messageAt(startMs, id), messageAt(startMs + 300_000, id, "event_cleared")]
  const store = openStore(folder)
  store.putDocuments(outboxChanges(notices))
  await store.close()

  const second = await startServer({ folder, flags, program: storyProgram() })
  await eventually(() => receiver.received.length >= 2)
  const ids = receiver.received.map(({ headers }) => headers["x-tidegauge-delivery"])
  assert.deepEqual(
    ids,
    notices.map((notice) => notice.id),
  )
  await second.stop()

  const after = openStore(folder)
  assert.deepEqual(after.listDocuments("outbox:0"), [])
  await after.close()
})
