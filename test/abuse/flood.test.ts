/** An agent that posts in a loop: what the store cannot bear is refused, and nothing else. */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { Shard } from "../../src/engine/shard.ts"
import { IngestReader } from "../../src/ingest/ingest.ts"
import { cycleMs, dayMs } from "../../src/model/resolution.ts"
import { maintainFully } from "../contract/store-driver.ts"
import { folderOf, openWriter, reading, type Warning } from "../support/store/lmdb-folder.ts"
import { findSeries, noonMs, seriesName } from "../support/ingest/samples.ts"
import { ingestTask, openGuard } from "../support/ingest/shard-task.ts"

const sampleLimits = { partitionSamples: 100, seriesSamples: 5 }
const nowMs = noonMs + cycleMs / 2
const span = { startMs: noonMs - dayMs, endMs: noonMs + dayMs }

function fixture(t: TestContext) {
  const folder = folderOf(t)
  const warnings: Warning[] = []
  const store = openWriter(folder, warnings, { sampleLimits })
  const reader = new IngestReader({
    catalogue: store.catalogue,
    acceptPastMs: dayMs,
    acceptFutureMs: 600_000,
    checkSampleLimit: (columns, from) => store.checkSampleLimit(columns, from),
  })
  const shard = new Shard({ store, reader, guard: openGuard, elapsedMs: () => 0 })
  const post = async (text: string) => {
    const answer = await shard.run(ingestTask([text], nowMs))
    return { status: answer.statuses[0], refusal: answer.refusals[0] }
  }
  const flush = () => maintainFully(store, noonMs + 4 * cycleMs)
  return { folder, store, warnings, post, flush }
}

function body(metric: string, count: number, fromMs = noonMs): string {
  const samples = Array.from({ length: count }, (_, i) => ({
    metricId: metric,
    timestamp: fromMs + i,
    val: i,
  }))
  return JSON.stringify([{ id: "host", type: "SERVER", metrics: [{ id: metric }], samples }])
}

test("a flood is refused with what and until when; other metrics and cycles go on", async (t) => {
  const { folder, store, warnings, post, flush } = fixture(t)
  let acknowledged = 0
  let sent = 0
  const send = async (metric: string, count: number, fromMs = noonMs) => {
    // A time of its own for each: those of one time are read back as one.
    const told = await post(body(metric, count, fromMs + sent))
    sent += count
    if (told.status === 202 && metric === "loop") acknowledged += count
    return told
  }
  for (let i = 0; i < 4; i++) assert.equal((await send("loop", 30)).status, 202)
  flush()
  assert.match(warnings.map(({ message }) => message).join(), /reached the sample limit/)
  assert.equal((await send("loop", 4)).status, 202, "a few may come")
  const { status, refusal } = await send("loop", 4)
  assert.equal(status, 429)
  assert.equal(refusal?.detail, "Sample Limit Exceeded")
  assert.match(refusal.errors.join(), /"loop" of element "host" has had the 5 samples.*T12:00:00/)
  assert.equal(refusal.retryAfterSeconds, cycleMs / 2 / 1000)
  const late = await send("loop", 8, noonMs - cycleMs + 1)
  assert.equal(late.status, 202, "six hours below the limit")
  assert.equal((await send("loop", 1)).status, 202, "nothing of the refused body counted")
  assert.equal((await send("other", 50)).status, 202)
  assert.equal((await send("loop", 5, noonMs + cycleMs)).status, 202, "of the next cycle")
  flush()
  await store.close()
  await reading(folder, (reader) => {
    const loop = findSeries(reader.catalogue, seriesName("host", "loop"))
    assert.equal(
      reader.samples(Int32Array.of(loop), { span, resolution: "ZERO" }, null)[0]!.length,
      acknowledged,
    )
  })
})

test("of a cycle that is over it is refused for good, and no name is kept", async (t) => {
  const { store, post, flush } = fixture(t)
  const past = noonMs - cycleMs
  for (let i = 0; i < 4; i++) assert.equal((await post(body("loop", 30, past))).status, 202)
  flush()
  const known = store.catalogue.seriesCount
  const flood = JSON.parse(body("loop", 6, past))
  flood[0].metrics.push({ id: "new" })
  flood[0].samples.push({ metricId: "new", timestamp: past, val: 1 })
  // Half of a surrogate pair is for the slow path alone.
  for (const tags of [[], [{ name: "t", value: "\ud800" }]]) {
    const { status, refusal } = await post(JSON.stringify([{ ...flood[0], tags }]))
    assert.deepEqual([status, refusal?.retryAfterSeconds], [400, undefined])
  }
  assert.equal(store.catalogue.seriesCount, known)
  await store.close()
})
