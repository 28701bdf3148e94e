/**
 * Export and import as processes: next to a running server, into a new store with a kill in
 * between, and into a running server.
 */

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { verifyStore } from "../../src/store/open.ts"
import type { Client } from "../support/server/client.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { eventually } from "../support/time/eventually.ts"
import { deliveredProgram } from "../support/project-paths.ts"
import { apiKey, runProgram, startServer, type TestServer } from "../support/server/server.ts"
import { sized } from "../support/run/sizes.ts"
import { untilFlushed } from "../support/server/until-flushed.ts"
import { environmentWithoutSettings } from "../support/server/environment.ts"

function newFolder(t: TestContext): string {
  const folder = makeFolder("tidegauge-transfer")
  t.after(() => removeFolder(folder))
  return folder
}

async function serverOn(t: TestContext, folder: string): Promise<TestServer> {
  const server = await startServer({ folder })
  t.after(() => server.stop())
  return server
}

const hourMs = 3_600_000
const elements = ["web-1", "web-2"]

/** Two hours of the past: gauges, a counter, aggregates, equal samples. */
function bodies(fromMs: number): unknown[] {
  return elements.map((id, e) => ({
    id,
    type: "SERVER",
    tags: [{ name: "team", value: 'a "b", c' }],
    metrics: [
      { id: "cpu", unit: "percent" },
      { id: "jobs", type: "COUNTER" },
    ],
    samples: Array.from({ length: 240 }, (_, i) => {
      const timestamp = fromMs + Math.floor(i / 2) * 60_000
      if (i % 7 === 0) return { metricId: "io", timestamp, min: 1, max: 9, avg: 4, cnt: 3, sum: 12 }
      const metricId = i % 2 === 0 ? "cpu" : "jobs"
      return { metricId, timestamp, val: metricId === "cpu" ? Math.sin(i + e) : i * 10 }
    }),
  }))
}

/** Everything that charts and tables read of these metrics. */
async function answers(client: Client, fromMs: number) {
  const span = { startTime: fromMs, endTime: fromMs + 2 * hourMs }
  const found: unknown[] = []
  for (const rollup of ["ZERO", "PT5M", "PT1H", "PT24H"]) {
    for (const fqn of ["cpu", "jobs", "io"]) {
      const query = { ...span, rollup, fqn, showValues: true, showTimestamps: true }
      const { metrics } = (await client.get("/metrics/statistics", query)).json<{
        metrics: unknown[]
      }>()
      found.push(metrics.map(withoutIds))
      for (const element of elements) {
        const path = `/elements/${element}/metrics/${fqn}/samples`
        found.push(withoutIds((await client.get(path, { ...span, rollup })).json()))
      }
    }
  }
  return found
}

/** Ids depend on the account, of which each store has its own. */
function withoutIds(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) =>
    key === "elementId" || key === "metricId" ? undefined : value,
  )
}

const hoursAgo = (hours: number): number => {
  const cycle = 300_000
  return Math.floor((Date.now() - hours * hourMs) / cycle) * cycle
}

for (const format of sized({ quick: ["parquet"], long: ["csv.gz", "jsonl", "parquet"] })) {
  test(`${format}: next to a server, and into another store: equal answers`, async (t) => {
    const [from, to] = [newFolder(t), newFolder(t)]
    const fromMs = hoursAgo(30)
    const source = await serverOn(t, from)
    assert.equal((await source.client.ingest(bodies(fromMs))).status, 202)
    const path = join(from, `all.${format}`)
    const exported = await runProgram(["export", path, "--from", "P3D", "--data", from])
    assert.equal(exported.status, 0, exported.output)
    assert.match(exported.output, /all\..*: 480 rows of 6 series, .* of (csv|jsonl|parquet)\n/)
    assert.equal(statSync(path).mode & 0o077, 0)
    const again = await runProgram(["export", path, "--from", "P3D", "--data", from])
    assert.deepEqual([again.status, again.output], [1, `tidegauge: "${path}" exists already\n`])

    for (let times = 0; times < 2; times++) {
      const imported = await runProgram(["import", path, "--data", to])
      assert.equal(imported.status, 0, imported.output)
      assert.match(imported.output, /480 samples of .* are stored/)
    }
    const target = await serverOn(t, to)
    for (const { client } of [source, target]) await untilFlushed(client)
    const expected = await answers(source.client, fromMs)
    assert.deepEqual(await answers(target.client, fromMs), expected)
    const refused = await runProgram(["import", path, "--data", to])
    assert.equal(refused.status, 1)
    assert.match(
      refused.output,
      /holds the store .*: stop the server, or import into it with --url/,
    )
    // No cycle of the past was closed.
    const { totalElements } = (await target.client.get("/events")).json<{
      totalElements?: number
    }>()
    assert.equal(totalElements ?? 0, 0)
    await target.stop()
    assert.deepEqual((await verifyStore(to)).problems, [])
  })
}

test("into a running server, by its ingest: equal answers, old samples counted", async (t) => {
  const [from, to] = [newFolder(t), newFolder(t)]
  const fromMs = hoursAgo(30)
  const source = await serverOn(t, from)
  const target = await serverOn(t, to)
  assert.equal((await source.client.ingest(bodies(fromMs))).status, 202)
  const path = join(from, "all.parquet")
  await runProgram(["export", path, "--from", "P3D", "--data", from])
  const keyFile = join(from, "key")
  writeFileSync(keyFile, `${apiKey}\n`, { mode: 0o600 })
  const argv = ["import", "--url", target.url, "--key-file", keyFile]
  const imported = await runProgram([...argv, path])
  assert.equal(imported.status, 0, imported.output)
  for (const { client } of [source, target]) await untilFlushed(client)
  const expected = await answers(source.client, fromMs)
  assert.deepEqual(await answers(target.client, fromMs), expected)

  const old = join(from, "old.csv")
  writeFileSync(old, `element,metric,timestamp,val\nweb-1,cpu,${fromMs - 20 * 24 * hourMs},1\n`)
  const left = await runProgram([...argv, old])
  assert.match(left.output, /0 samples .*\n {2}left out: 1 older than what is kept or accepted/)
})

test("a bad line ends the import; what came before it is stored", async (t) => {
  const folder = newFolder(t)
  const path = join(folder, "bad.csv")
  const rows = [`web,cpu,${hoursAgo(1)},1`, "web,cpu,soon,1", `web,cpu,${hoursAgo(2)},1`]
  writeFileSync(path, ["element,metric,timestamp,val", ...rows].join("\n"))
  const store = join(folder, "store")
  const bad = await runProgram(["import", path, "--data", store])
  assert.equal(bad.status, 1)
  assert.match(bad.output, /^tidegauge: .*bad\.csv:3: timestamp "soon": expected epoch/)
  const argv = ["export", join(folder, "out.csv"), "--from", "P1D", "--data", store]
  assert.match((await runProgram(argv)).output, /: 1 rows of 1 series/)
})

const rowCount = sized({ quick: 100_000, long: 400_000 })

test("an import that is killed and run again gives what one run gives", async (t) => {
  const [once1, killed] = [newFolder(t), newFolder(t)]
  const fromMs = hoursAgo(40)
  const lines = ["element,metric,timestamp,val"]
  for (let i = 0; i < rowCount; i++) {
    lines.push(`web-${i % 2},m${i % 50},${fromMs + Math.floor(i / 100) * 1000},${(i * 7) % 1000}`)
  }
  const path = join(once1, "big.csv")
  writeFileSync(path, lines.join("\n"))
  const whole = await runProgram(["import", path, "--data", once1])
  assert.equal(whole.status, 0, whole.output)

  const child = spawn(process.execPath, [...deliveredProgram(), "import", path, "--data", killed], {
    env: environmentWithoutSettings(),
  })
  const end = once(child, "exit")
  await eventually(() => hasBatch(killed))
  child.kill("SIGKILL")
  await end
  const resumed = await runProgram(["import", path, "--data", killed])
  assert.equal(resumed.status, 0, resumed.output)
  const files = [once1, killed].map((folder) => join(folder, "out.csv"))
  for (const [i, folder] of [once1, killed].entries()) {
    const argv = ["export", files[i]!, "--from", "P3D", "--data", folder]
    assert.equal((await runProgram(argv)).status, 0)
    assert.deepEqual((await verifyStore(folder)).problems, [])
  }
  const [expected, found] = files.map((file) => sortedRows(file))
  assert.equal(found!.length, rowCount)
  assert.deepEqual(found, expected)
})

/** Rows without the column about, which each series has once. */
function sortedRows(path: string): string[] {
  const [, ...rows] = readFileSync(path, "utf8").trimEnd().split("\r\n")
  return rows.map((row) => row.split(",").slice(0, 9).join(",")).sort()
}

/**
 * True if any segment of the log has one: the first goes as soon as it is flushed. A segment
 * has its whole length from the beginning; zeros follow what is written.
 */
function hasBatch(folder: string): boolean {
  try {
    const segments = readdirSync(folder).filter((name) => name.startsWith("journal-"))
    return segments.some((name) =>
      readFileSync(join(folder, name))
        .subarray(0, 1024)
        .some((byte) => byte !== 0),
    )
  } catch {
    return false
  }
}
