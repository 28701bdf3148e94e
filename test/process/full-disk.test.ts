import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import { mountSmallDisk, type SmallDisk } from "../support/machine/small-disk.ts"
import { runProgram, startServer, storyProgram, type TestServer } from "../support/server/server.ts"
import { answerOnce } from "../support/time/eventually.ts"

const diskBytes = 64 * 1024 * 1024

/** Skipped with a reason: store-keeper.test.ts injects the same refusals without a disk. */
function smallDisk(t: TestContext): SmallDisk | null {
  const disk = mountSmallDisk(diskBytes)
  if (disk === null)
    t.diagnostic("no tmpfs may be mounted here: see test/engine/store-supervisor.test.ts")
  else t.after(() => disk.remove())
  return disk
}

let nextValue = 1

/** Posts one value of an element; gives the status and the value. */
async function post(server: TestServer, element: string, padding = 0) {
  const value = nextValue++
  const samples = [{ metricId: "m", timestamp: Date.now() - 60_000, val: value }]
  const attributes = [{ name: "padding", value: "x".repeat(padding) }]
  const reply = await server.client.ingest([{ id: element, type: "T", attributes, samples }])
  return { status: reply.status, retryAfter: reply.headers["retry-after"], value }
}

async function valuesOf(server: TestServer): Promise<number[]> {
  const params = { fqn: "m", rollup: "ZERO", duration: "PT1H", showValues: true }
  const reply = await server.client.get("/metrics/statistics", params)
  assert.equal(reply.status, 200, reply.text)
  const { metrics } = reply.json<{ metrics: { data: number[] }[] }>()
  return metrics.flatMap(({ data }) => data).sort((left, right) => left - right)
}

/** Posts until a value is accepted, and resolves to that. */
async function untilAccepted(server: TestServer): Promise<number> {
  const { value } = await answerOnce(
    () => post(server, "host"),
    ({ status }) => {
      assert.ok(status === 202 || status === 503, `${status}`)
      return status === 202
    },
  )
  return value
}

/** Waits until `/health/ready` answers with this status; gives the answer. */
async function untilReady(server: TestServer, status: 200 | 503): Promise<string> {
  const ask = () => server.client.get("/health/ready")
  return (await answerOnce(ask, (reply) => reply.status === status)).text
}

async function stopAndVerify(server: TestServer, folder: string): Promise<void> {
  assert.equal(await server.stop(), 0, server.output())
  const { status, output } = await runProgram(["verify", "--data", folder])
  assert.equal(status, 0, output)
}

test("below the free-space minimum: 503 with Retry-After until there is space again", async (t) => {
  const disk = smallDisk(t)
  if (disk === null) return
  const folder = `${disk.folder}/store`
  const server = await startServer({ folder, program: storyProgram() })
  t.after(() => server.kill())
  const first = await post(server, "host")
  assert.equal(first.status, 202)
  // The minimum is a twentieth of so small a disk.
  disk.fillUpTo(diskBytes / 20 - 65_536)
  await untilReady(server, 503)
  const refused = await post(server, "stranger")
  assert.equal(refused.status, 503)
  assert.ok(Number(refused.retryAfter) > 0)
  assert.deepEqual(await valuesOf(server), [first.value])
  assert.equal((await server.client.get("/elements/stranger")).status, 404)
  const unready = await untilReady(server, 503)
  assert.match(unready, /The disk has \d+ bytes left, fewer than \d+/)
  disk.makeRoom()
  const value = await untilAccepted(server)
  assert.deepEqual(await valuesOf(server), [first.value, value])
  await untilReady(server, 200)
  await stopAndVerify(server, folder)
})

test("a disk full to the last byte: what was acknowledged stays, nothing by halves", async (t) => {
  const disk = smallDisk(t)
  if (disk === null) return
  const folder = `${disk.folder}/store`
  const flags = ["--disk-floor", "0"]
  const server = await startServer({ folder, flags, program: storyProgram() })
  t.after(() => server.kill())
  const kept = [(await post(server, "host")).value]
  disk.fillUpTo(0)
  const refused: string[] = []
  for (let i = 0; refused.length < 3 && i < 400; i++) {
    // Each brings names and padding, so that the file has to grow when they are flushed.
    const { status, value } = await post(server, `new-${i}`, 4000)
    await wait(10)
    if (status === 202) kept.push(value)
    else {
      assert.equal(status, 503)
      refused.push(`new-${i}`)
    }
  }
  assert.equal(refused.length, 3, "Expected the disk to be full at last")
  // Names of the last second may be in the WAL alone: their samples are seen later.
  const seen = await valuesOf(server)
  assert.deepEqual(seen, kept.slice(0, seen.length))
  for (const element of refused) {
    assert.equal((await server.client.get(`/elements/${element}`)).status, 404, element)
  }
  disk.makeRoom()
  const value = await untilAccepted(server)
  assert.deepEqual(await valuesOf(server), [...kept, value])
  await server.kill()

  const second = await startServer({ folder, flags, program: storyProgram() })
  t.after(() => second.kill())
  assert.deepEqual(await valuesOf(second), [...kept, value])
  await stopAndVerify(second, folder)
})
