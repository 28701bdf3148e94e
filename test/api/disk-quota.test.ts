/** A disk quota: one account has had its share, the other goes on, and more disk helps. */

import assert from "node:assert/strict"
import { after, test } from "node:test"
import { sendToOwner } from "../../src/control/control-socket.ts"
import { errorOf } from "../support/server/responses.ts"
import { untilFlushed } from "../support/server/until-flushed.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { startServer, storyProgram, type TestServer } from "../support/server/server.ts"

const folder = makeFolder("tidegauge-quota")
let server: TestServer | null = null

after(async () => {
  await server?.stop()
  removeFolder(folder)
})

async function start(quota: string): Promise<TestServer> {
  await server?.stop()
  server = await startServer({ folder, program: storyProgram(), flags: ["--disk-quota", quota] })
  return server
}

/** A quarter of an hour old, so that it is flushed soon. */
function body(element: string) {
  const samples = [{ metricId: "cpu", timestamp: Date.now() - 900_000, val: 1 }]
  return [{ id: element, type: "SERVER", samples }]
}

async function bytesOf(tenant: number): Promise<number> {
  const { text } = await server!.client.get("/metrics/internal")
  const found = new RegExp(`^tidegauge_tenant_bytes\\{tenant="${tenant}"\\} (\\S+)$`, "m").exec(
    text,
  )
  return Number(found?.[1] ?? 0)
}

test("an account at its quota gets 429 for posts; others and queries continue", async () => {
  const { client } = await start("1")
  const words = "account create --name Two --email two@example.com --password second-password"
  const made = await sendToOwner(folder, words.split(" "))
  const key = /API key +([0-9a-f]{32})/.exec(made!.text)![1]!
  const second = (element: string) =>
    client.send(`/ingest/${key}`, { method: "POST", body: JSON.stringify(body(element)) })

  assert.equal((await client.ingest(body("web-1"))).status, 202)
  await untilFlushed(client)
  const bytes = await bytesOf(0)
  assert.ok(bytes > 1)
  const refused = await client.ingest(body("web-2"))
  const error = errorOf(refused)
  assert.equal(error.status, 429)
  assert.match(error.errors.join(), new RegExp(`take ${bytes} bytes .* 1 bytes \\(--disk-quota\\)`))
  assert.equal(refused.headers["retry-after"], "900")
  assert.equal((await second("other-1")).status, 202)
  const list = await client.get("/elements", { fields: "fqn" })
  assert.equal(list.status, 200)
  assert.doesNotMatch(list.text, /web-2/)

  await start("1GiB")
  assert.equal(await bytesOf(0), bytes)
  assert.equal((await server!.client.ingest(body("web-2"))).status, 202)
  await untilFlushed(server!.client)
  assert.ok((await bytesOf(0)) > bytes)
  assert.ok((await bytesOf(1)) > 0)
})
