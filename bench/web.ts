/**
 * The pages in a real browser: `npm run bench:web [-- --only load,pan --elements 20000]`. Prints
 * the figures with their goals; status 1 if a goal is missed. See web/README.md.
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { openBrowser } from "../test/support/browser/browser.ts"
import { settle } from "./load/process.ts"
import { killServers, startServer, type Server } from "./load/server.ts"
import { tidegauge } from "./load/subjects.ts"
import { machineLine } from "./machine.ts"
import { figureTable, isKept, type WebFigure } from "./web/figures.ts"
import { measureFiles, measureFirstLoad } from "./web/first-load.ts"
import { measureInputs } from "./web/inputs.ts"
import { measureInventory } from "./web/inventory.ts"
import { measureLeaks } from "./web/leaks.ts"
import { measureHome, measurePan } from "./web/moving.ts"
import { seed, type Seed } from "./web/seed.ts"
import { measureStreams } from "./web/streams.ts"
import { Visitor } from "./web/visitor.ts"

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "load,pan,inputs,inventory,home,leaks,streams" },
    elements: { type: "string", default: "20000" },
    metrics: { type: "string", default: "50" },
    rounds: { type: "string", default: "50" },
    server: { type: "string", default: join(import.meta.dirname, "..", "dist", "main.js") },
    out: { type: "string" },
  },
})
const entry = resolve(values.server)
const small: Seed = { elements: 40, metricsPerElement: Number(values.metrics) }
const large: Seed = { ...small, elements: Number(values.elements) }

const scratch = mkdtempSync(join(tmpdir(), "tidegauge-web-"))
process.once("exit", () => {
  killServers()
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))

/** Until a million new metrics are flushed. */
const settleSecondsMax = 300

const browser = await openBrowser()
const servers = new Map<number, Promise<Server>>()

/** A server with this many elements, started when the first section asks for it. */
function serverOf(wanted: Seed): Promise<Server> {
  const { elements } = wanted
  const server = servers.get(elements) ?? startSeeded(wanted)
  servers.set(elements, server)
  return server
}

async function startSeeded(wanted: Seed): Promise<Server> {
  const { elements } = wanted
  say(`a server with ${elements} elements × ${wanted.metricsPerElement} metrics`)
  const folder = join(scratch, String(elements))
  const server = await startServer(tidegauge(entry), { folder, processors: "0,1" })
  await seed(server, wanted)
  const isCalm = await settle(server.pid, { graceSeconds: 2, secondsMax: settleSecondsMax })
  if (!isCalm) say("the server is still busy")
  // A server in use has answered before; only the browser's caches are empty.
  await new Visitor(browser, server).visit({ path: "inventory" }, async ({ page }) => {
    await page.locator("tbody tr[aria-rowindex] a").first().waitFor({ timeout: 0 })
  })
  return server
}

const visitorOf = async (wanted: Seed) => new Visitor(browser, await serverOf(wanted))

const sections: Readonly<Record<string, () => Promise<WebFigure[]>>> = {
  load: async () => [
    ...(await measureFirstLoad(await visitorOf(small))),
    ...measureFiles(join(dirname(entry), "web")),
  ],
  pan: async () => measurePan(await visitorOf(large)),
  inputs: async () => measureInputs(await visitorOf(large)),
  inventory: async () => measureInventory(await visitorOf(large), large),
  home: async () => measureHome(await visitorOf(large), large.elements),
  leaks: async () => measureLeaks(await visitorOf(small), Number(values.rounds)),
  streams: async () => measureStreams(await serverOf(small)),
}

const figures: WebFigure[] = []
for (const name of values.only.split(",")) {
  const section = sections[name]
  if (section === undefined) {
    throw new Error(`Cannot take --only ${name}: expected ${Object.keys(sections).join(", ")}`)
  }
  say(name)
  figures.push(...(await section()))
}
const browserName = `Chromium ${browser.version()}`
await browser.close()
for (const server of servers.values()) await (await server).stop()
const report = `Machine: ${machineLine()}, ${browserName}\n\n${figureTable(figures)}\n`
process.stdout.write(report)
if (values.out !== undefined) writeFileSync(values.out, report)
process.exitCode = figures.every(isKept) ? 0 : 1

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
