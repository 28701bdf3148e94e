/** The demonstration as a whole, against a server that only pretends. */

import assert from "node:assert/strict"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import { TestClock } from "../support/time/test-clock.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { demoServerNames } from "../../bench/demo/demo-day.ts"
import { runDemo } from "../../bench/demo/demo.ts"
import { demoCommands } from "../../bench/demo/demo-commands.ts"
import { statisticsTable } from "../../bench/demo/demo-statistics.ts"
import { lineIn } from "../support/project/command-line.ts"

const statistics = {
  avg: 2,
  min: 1,
  median: 2,
  max: 3,
  percentile5: 1,
  percentile25: 1,
  percentile75: 3,
  percentile95: 3,
  sum: 4,
  stddev: 1,
}

/** Answers like a server that holds `count` samples of each metric. */
async function startFake(count: number) {
  const paths: string[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = request.url!
    paths.push(url)
    request.resume().on("end", () => {
      if (url.startsWith("/ingest/")) return response.writeHead(202).end()
      const id = url.slice("/elements/".length)
      const metrics = demoServerNames.map((elementId) => ({
        elementId,
        statistics: { ...statistics, count },
      }))
      const answer = url.startsWith("/elements/") ? { element: { id } } : { metrics }
      response.end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const close = () => new Promise((resolve) => server.close(resolve))
  return { url: `http://127.0.0.1:${port}`, paths, close }
}

async function run(argv: readonly string[]) {
  let printed = ""
  let complained = ""
  let elapsedMs = 0
  const status = await runDemo({
    options: lineIn(demoCommands, "demo", ...argv).options,
    env: {},
    program: [],
    print: (text) => (printed += text),
    printError: (text) => (complained += text),
    isTerminal: false,
    clock: new TestClock(Date.UTC(2026, 10, 21, 5)),
    elapsedMs: () => (elapsedMs += 2000),
    wait: () => Promise.resolve(),
    random: seededRandom(1),
    signal: new AbortController().signal,
  })
  return { status, printed, complained }
}

const credentials = ["--user", "a@b", "--password", "pass", "--api-key", "key"]

test("the demonstration posts yesterday in 60 bodies and prints what it reads back", async () => {
  const fake = await startFake(1440)
  const { status, printed, complained } = await run(["--url", fake.url, ...credentials])
  await fake.close()
  assert.equal(complained, "")
  assert.equal(status, 0)
  assert.equal(fake.paths.filter((path) => path === "/ingest/key").length, 60)
  assert.equal(fake.paths.filter((path) => path.startsWith("/metrics/statistics?")).length, 30)
  assert.match(printed, /Posting 2026-11-20: 20 servers × 30 metrics/)
  assert.match(printed, /Stored and synced in 2\.0 s: 432,000 samples\/s/)
  assert.match(printed, /demo-web-01 +2 +1 +1 +2 +3 +3 +3 +1,440/)
  assert.match(printed, /30 questions about 864,000 samples/)
})

test("samples that cannot be read back fail the demonstration", async () => {
  const fake = await startFake(1439)
  const { status, complained } = await run(["--url", fake.url, ...credentials])
  await fake.close()
  assert.equal(status, 1)
  assert.match(complained, /Expected 864,000 samples, found 863,400/)
})

test("invalid options are reported with status 64", async () => {
  const wrong = await run(["--days", "9"])
  assert.equal(wrong.status, 64)
  assert.equal(wrong.complained, "tidegauge: --days needs --clock or --serve beside it\n")
})

test("the table has a row for each named element that has statistics", () => {
  const names = new Map([
    ["id-1", "web-1"],
    ["id-2", "web-2"],
  ])
  const text = statisticsTable(
    [{ elementId: "id-2", statistics: { ...statistics, count: 1440 } }],
    names,
  )
  const [header, , row, ...rest] = text.split("\n").map((line) => line.split(/\s+/).join(" "))
  assert.equal(header, "element avg min p25 median p75 p95 max count")
  assert.equal(row, "web-2 2 1 1 2 3 3 3 1,440")
  assert.deepEqual(rest, [])
})
