import assert from "node:assert/strict"
import { test } from "node:test"
import { tuningsVariable } from "../../src/config/tunings.ts"
import { settings } from "../../src/config/settings.ts"
import { openTables, textKey } from "../../src/store/lmdb/disk/tables.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { adminPassword, apiKey, runProgram, startServer } from "../support/server/server.ts"
import type { TestServer } from "../support/server/server.ts"
import { eventually } from "../support/time/eventually.ts"

let folder: string

function withFolder(law: string, check: () => Promise<void>): void {
  test(law, async () => {
    folder = makeFolder("tidegauge-stop")
    try {
      await check()
    } finally {
      removeFolder(folder)
    }
  })
}

const workers = 8

interface Outcomes {
  readonly accepted: Set<number>
  /** Samples of requests with any other answer, and its status. */
  readonly refused: Map<number, number>
  broken: number
}

/** Posts one sample after the other until the server does not answer 202 any more. */
async function postUntilRefused(
  server: TestServer,
  startMs: number,
  outcomes: Outcomes,
): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    for (;;) {
      const val = next++
      const samples = [{ metricId: "m", timestamp: startMs + val, val }]
      try {
        const { status } = await server.client.ingest([{ id: "e", type: "T", samples }])
        if (status === 202) outcomes.accepted.add(val)
        else return void outcomes.refused.set(val, status)
      } catch {
        outcomes.broken++
        return
      }
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
}

withFolder("SIGTERM under load keeps each 202, refuses the rest, and exits with 0", async () => {
  const first = await startServer({ folder })
  const startMs = Date.now() - 60_000
  const outcomes: Outcomes = { accepted: new Set(), refused: new Map(), broken: 0 }
  const load = postUntilRefused(first, startMs, outcomes)
  await eventually(() => outcomes.accepted.size > 100)
  first.signal("SIGTERM")
  await load
  assert.equal(await first.ended(), 0, first.output())
  first.client.close()

  for (const status of outcomes.refused.values()) assert.equal(status, 503)
  assert.equal(outcomes.refused.size + outcomes.broken, workers)
  const second = await startServer({ folder })
  const reply = await second.client.get("/metrics/statistics", {
    fqn: "m",
    rollup: "ZERO",
    duration: "PT1H",
    showValues: true,
  })
  const [metric] = reply.json<{ metrics: { data: number[] }[] }>().metrics
  const stored = new Set(metric!.data)
  const lost = [...outcomes.accepted].filter((val) => !stored.has(val))
  assert.deepEqual(lost, [])
  for (const val of outcomes.refused.keys()) assert.ok(!stored.has(val), `${val} was refused`)
  assert.equal(metric!.data.length, stored.size)
  assert.ok(stored.size <= outcomes.accepted.size + outcomes.broken)
  assert.equal(await second.stop(), 0)
})

withFolder("SIGTERM as soon as it listens stops it in order; then nobody is let in", async () => {
  // Its warm-up has begun, too.
  const server = await startServer({ folder, env: { [tuningsVariable]: "" } })
  assert.equal(await server.stop(), 0)
  await assert.rejects(server.client.send("/health/live"), /ECONNREFUSED/)
})

withFolder("a store of a newer format version is refused, with both versions", async () => {
  const server = await startServer({ folder })
  assert.equal((await server.client.ingest([])).status, 202)
  assert.equal(await server.stop(), 0)
  const tables = openTables(folder)
  await tables.meta.put(textKey("formatVersion"), Buffer.from("999"))
  await tables.root.close()

  const { status, output } = await runProgram(["--port", "0", "--data", folder])
  assert.notEqual(status, 0)
  assert.match(output, /format 999, .* knows formats up to \d+: start the newer/)
  assert.doesNotMatch(output, /"listening"/)
})

withFolder("no secret is written after the first start's text", async () => {
  const first = await startServer({ folder })
  assert.equal((await first.client.send(`/ingest/${apiKey}x`, { method: "POST" })).status, 403)
  assert.equal((await first.client.ingest("no JSON")).status, 400)
  assert.equal((await first.client.send(`/unknown/${apiKey}`)).status, 404)
  assert.equal((await first.client.get("/elements/nobody")).status, 404)
  assert.equal(await first.stop(), 0)
  const second = await startServer({
    folder,
    flags: ["--log-level", "debug"],
  })
  assert.equal((await second.client.ingest([])).status, 202)
  assert.equal(await second.stop(), 0)

  const logged = first
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
  for (const text of [...logged, second.output()]) {
    assert.ok(!text.includes(apiKey), text)
    assert.ok(!text.includes(adminPassword), text)
  }
})

test("an unknown setting, or another form, is refused with the accepted form", async () => {
  const f = async (argv: string[], want: RegExp): Promise<void> => {
    const { status, output } = await runProgram(argv)
    assert.equal(status, 64, output)
    assert.match(output, want)
  }

  await f(["--prot", "80"], /prot/)
  await f(["--port", "eighty"], /a whole number from 0 to 65535/)
  await f(["--accept-past", "14 days"], /duration/)
  await f(["--log-format", "xml"], /one of auto, text, json/)
})

test("serve --help lists every setting as a flag and a variable, and starts nothing", async () => {
  const { status, output } = await runProgram(["serve", "--help"])
  assert.equal(status, 0)
  for (const { name, meaning } of Object.values(settings)) {
    assert.ok(output.includes(`--${name}`), name)
    assert.ok(output.replaceAll(/\s+/g, " ").includes(meaning.split(". ")[0]!), meaning)
    assert.ok(output.includes(`TIDEGAUGE_${name.replaceAll("-", "_").toUpperCase()}`), name)
  }
  assert.doesNotMatch(output, /"listening"/)
})
