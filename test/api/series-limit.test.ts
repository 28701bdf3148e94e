/** The limit of series is one of the present: known series go on, deleted ones make room. */

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { errorOf, samples } from "../support/server/responses.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { startServer, storyProgram, type TestServer } from "../support/server/server.ts"

const folder = makeFolder("tidegauge-series-limit")
const metrics = ["cpu", "memory", "rx", "tx"]
let server: TestServer | null = null

before(async () => {
  const flags = ["--series-limit", "20"]
  server = await startServer({ folder, program: storyProgram(), flags })
})
after(async () => {
  await server?.stop()
  removeFolder(folder)
})

const minuteMs = Math.floor(Date.now() / 60_000) * 60_000

function pod(n: number, minute: number, ...more: string[]) {
  const timestamp = minuteMs - 600_000 + minute * 60_000
  const ids = [...metrics, ...more]
  return { id: `pod-${n}`, samples: ids.map((metricId) => ({ metricId, timestamp, val: minute })) }
}

test("known pods go on at the limit, deleted ones make room for others", async () => {
  const { client } = server!
  const countOf = async (n: number, metric: string) =>
    (await samples(client, { element: `pod-${n}`, metric }, { duration: "PT1H", rollup: "ZERO" }))
      .length
  const remove = async (n: number) => {
    const headers = { authorization: client.authorization }
    const reply = await client.send(`/elements/pod-${n}`, { method: "DELETE", headers })
    assert.equal(reply.status, 204, reply.text)
  }
  assert.equal((await client.ingest([1, 2, 3, 4, 5].map((n) => pod(n, 0)))).status, 202)

  // A new pod, and a known one with one metric more, in the post of a known one.
  for (const body of [
    [pod(6, 1), pod(1, 1)],
    [pod(1, 2), pod(2, 2, "more")],
  ]) {
    const reply = await client.ingest(body)
    assert.equal(reply.status, 400)
    const error = errorOf(reply)
    assert.equal(error.detail, "Series Limit Exceeded")
    assert.match(error.errors.join(), /known ones, more than the series limit of 20; known series/)
  }
  assert.deepEqual([await countOf(1, "cpu"), await countOf(2, "cpu")], [3, 2])

  for (const n of [3, 4, 5]) await remove(n)
  assert.equal((await client.ingest([pod(6, 3), pod(7, 3), pod(1, 3, "more")])).status, 202)
  assert.deepEqual([await countOf(6, "cpu"), await countOf(1, "more")], [1, 1])
  // The limit leaves three series: a deleted pod is not restored, its four would be too many.
  assert.equal((await client.ingest([pod(8, 4), pod(3, 4)])).status, 400)
  await remove(7)
  assert.equal((await client.ingest([pod(3, 5)])).status, 202)
  assert.equal(await countOf(3, "cpu"), 2, "its values are connected again")
})
