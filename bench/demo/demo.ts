/**
 * `npm run demo`: a day of 20 servers, posted in bulk and read back.
 *
 *   own server, or --url ─► yesterday, 864,000 samples ─► statistics as a table ─► stop
 */

import { seededRandom } from "../../test/support/run/seeded-random.ts"
import { dayMs } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import { readDemoArguments } from "./demo-commands.ts"
import { DemoClient, DemoError, type DemoAddress, type ElementStatistics } from "./demo-client.ts"
import { demoBodies, demoSampleCount, demoServerNames } from "./demo-day.ts"
import { demoMetrics } from "./demo-metrics.ts"
import { DemoProgress } from "./demo-progress.ts"
import { startLocalServer } from "./demo-server.ts"
import { interruptedBy, type DemoDeps } from "./demo-deps.ts"
import { statisticsTable } from "./demo-statistics.ts"
import { demonstrateFleet } from "./fleet-demo.ts"
import { serveFleet } from "./serve-demo.ts"
import { wholeText } from "../../src/command/text/table-text.ts"

/** One seed, so that every run shows the same day. */
const seed = 20
/** Three of the 30 metrics, of the first servers, are shown. */
const shownMetrics = ["cpu.total.utilization", "http.latency.average", "queue.depth"]
const shownServers = 5

const exitUsage = 64

/** Runs it; gives the exit status: 0, 1 if something failed, 64 for arguments it cannot take. */
export async function runDemo(given: DemoDeps): Promise<number> {
  const deps = { ...given, wait: interruptedBy(given.signal, given.wait) }
  const asked = readDemoArguments(deps.options, deps.env)
  if ("problem" in asked) {
    deps.printError(`tidegauge: ${asked.problem}\n`)
    return exitUsage
  }
  try {
    if ("serve" in asked) {
      await serveFleet(asked.serve, deps)
      return 0
    }
    if ("fleet" in asked) return (await demonstrateFleet(asked.fleet, deps)) ? 0 : 1
    if ("address" in asked) await demonstrate(asked.address, deps)
    else await demonstrateOnOwnServer(deps)
    return 0
  } catch (error) {
    if (!(error instanceof DemoError)) throw error
    // A bar has no end of line yet.
    deps.printError(`${deps.isTerminal ? "\n" : ""}tidegauge: ${error.message}\n`)
    return 1
  }
}

async function demonstrateOnOwnServer(deps: DemoDeps): Promise<void> {
  const server = await startLocalServer(deps)
  try {
    deps.print(`Started a server on ${server.address.url}, its store in ${server.folder}\n`)
    await demonstrate(server.address, deps)
  } finally {
    await server.stop()
    deps.print("Stopped the server and removed its store\n")
  }
}

async function demonstrate(address: DemoAddress, deps: DemoDeps): Promise<void> {
  const { wait, signal } = deps
  const client = new DemoClient({ address, fetch: globalThis.fetch, wait, signal })
  const endMs = Math.floor(deps.clock.nowMs() / dayMs) * dayMs
  const span = { startMs: endMs - dayMs, endMs }
  const date = new Date(span.startMs).toISOString().slice(0, 10)
  const what = `${demoServerNames.length} servers × ${demoMetrics.length} metrics`
  deps.print(`Posting ${date}: ${what}, one sample a minute\n`)
  await postDay(client, span, deps)
  await readBack(client, span, deps)
}

/** Makes the next body while the server works on the one before. */
async function postDay(client: DemoClient, span: Span, deps: DemoDeps): Promise<void> {
  const startMs = deps.elapsedMs()
  const progress = new DemoProgress({
    total: demoSampleCount,
    unit: "samples",
    isTerminal: deps.isTerminal,
  })
  let done = 0
  let posted: Promise<void> = Promise.resolve()
  for (const { json, samples } of demoBodies(seededRandom(seed), span.startMs)) {
    await posted
    deps.print(progress.at(done))
    posted = client.post(json)
    // A failure while the next body is made is thrown by the await above, not lost in between.
    posted.catch(() => undefined)
    done += samples
    // Lets the post begin before the next body is made.
    await deps.wait(0)
  }
  await posted
  deps.print(progress.at(done))
  const seconds = (deps.elapsedMs() - startMs) / 1000
  const rate = wholeText(done / seconds)
  deps.print(`Stored and synced in ${seconds.toFixed(1)} s: ${rate} samples/s from one sender\n`)
}

async function readBack(client: DemoClient, span: Span, deps: DemoDeps): Promise<void> {
  const startMs = deps.elapsedMs()
  const found = new Map<string, ElementStatistics[]>()
  for (const { id } of demoMetrics) found.set(id, await client.statistics(id, span))
  const seconds = (deps.elapsedMs() - startMs) / 1000
  const all = [...found.values()].flat()
  const count = all.reduce((sum, { statistics }) => sum + statistics.count, 0)
  const names = await namesById(client)
  for (const metric of shownMetrics) {
    const entries = found.get(metric)!
    deps.print(`\n${metric}, raw samples, ${shownServers} of ${entries.length} elements\n\n`)
    deps.print(`${statisticsTable(entries, names)}\n`)
  }
  const read = `${demoMetrics.length} questions about ${wholeText(count)} samples`
  deps.print(`\nRead back: ${read} in ${seconds.toFixed(2)} s\n`)
  if (count < demoSampleCount) {
    throw new DemoError(`Expected ${wholeText(demoSampleCount)} samples, found ${wholeText(count)}`)
  }
}

async function namesById(client: DemoClient): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const fqn of demoServerNames.slice(0, shownServers)) {
    names.set(await client.elementId(fqn), fqn)
  }
  return names
}
