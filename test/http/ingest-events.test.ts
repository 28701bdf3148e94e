/** Events that come with samples, of which the shard's answer has some. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { ServiceError } from "../../src/base/errors.ts"
import type { IngestTask } from "../../src/engine/shard-protocol.ts"
import type { IngestRouteDeps } from "../../src/http/ingest/ingest-route.ts"
import { eventually } from "../support/time/eventually.ts"
import { answerFor, send, startFixture } from "./ingest-fixture.ts"

const json = "[]"

test("a post with events is answered when they are stored, or with why not", async (t) => {
  const event = { title: "Disk is full" } as never
  const run = async (task: IngestTask) => {
    const part = { request: 0, detail: "Some Were Refused", errors: ["Notification 1: no"] }
    const isPart = String(Buffer.from(task.bytes)) === "part"
    const refusals = isPart ? [part] : []
    return { ...answerFor(task, 202), events: [{ request: 0, events: [event, event] }], refusals }
  }
  const stored: unknown[] = []
  let end = (): void => assert.fail("Expected the promise to be made")
  let store = () => new Promise<void>((resolve) => (end = resolve))
  const storeEvents: IngestRouteDeps["storeEvents"] = (tenant, posted) => {
    stored.push({ tenant, ...posted })
    return store()
  }
  const { port, counted } = await startFixture(t, { run, storeEvents })
  const headers = { "X-Service-Api-Options": "SEND_RESPONSE_BODY" }
  const waiting = send(port, { body: json, headers })
  await eventually(() => stored.length === 1)
  assert.deepEqual(counted, [])
  end()
  const { status, text } = await waiting
  assert.equal(status, 202)
  assert.match(text, /"3 elements and 2 events received"/)
  assert.deepEqual(stored, [{ tenant: 0, events: [event, event], bodyBytes: json.length }])

  store = async () => {}
  const part = await send(port, { body: "part" })
  assert.deepEqual([part.status, JSON.parse(part.text).errors], [400, ["Notification 1: no"]])
  store = () => Promise.reject(new ServiceError("throttled", "Too many events"))
  assert.equal((await send(port, { body: json })).status, 429)
  assert.deepEqual(counted, [202, 400, 429])
})
