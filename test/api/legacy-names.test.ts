/** `--legacy-names`: under which names documents have the tags that people set (C5). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { startServer } from "../support/server/server.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"

const nowMs = Date.now()
const posted = [
  { id: "web", type: "SERVER", samples: [{ metricId: "cpu", timestamp: nowMs, val: 1 }] },
]

for (const [mode, wanted, unwanted] of [
  ["old", "netuitiveTags", "serviceTags"],
  ["new", "serviceTags", "netuitiveTags"],
] as const) {
  test(`with ${mode} every document has ${wanted} alone`, async (t) => {
    const folder = makeFolder("legacy-names")
    const server = await startServer({ folder, flags: ["--legacy-names", mode] })
    t.after(async () => {
      await server.stop()
      removeFolder(folder)
    })
    const { client } = server
    assert.equal((await client.ingest(posted)).status, 202)
    const tags = { serviceTag: { owner: "ops" } }
    const set = await client.post("/elements/web/tags", tags)
    assert.deepEqual(set.json(), { [wanted.slice(0, -1)]: { owner: "ops" } })
    const chosen = { sourceFilter: { includes: ["serviceTags"], excludes: [] } }
    const answers = await Promise.all([
      client.get("/elements"),
      client.get("/elements/web"),
      client.get("/elements/web/tags"),
      client.get("/elements/web/metrics/cpu/tags"),
      client.get("/metrics"),
      client.post("/elements/search/elementQuery", {}),
      client.post("/elements/search/elementQuery", chosen),
      client.post("/metrics/search/metricQuery", {}),
      client.post("/metrics/elasticsearch/metricQuery", chosen),
    ])
    for (const { status, text } of answers) {
      assert.equal(status, 200, text)
      assert.ok(text.includes(`"${wanted}":{`), text)
      assert.ok(!text.includes(`"${unwanted}"`), text)
    }
    assert.match(answers[1]!.text, /"owner":"ops"/)
  })
}
