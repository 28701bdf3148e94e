/** Threads of a whole server, and bytes between them, for posts and queries of one client. */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { tuningsVariable } from "../../src/config/tunings.ts"
import { dayMs, hourMs } from "../../src/model/resolution.ts"
import { startOfHourMs } from "../support/ingest/samples.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { bundleOf, deliveredProgram } from "../support/project-paths.ts"
import type { Client } from "../support/server/client.ts"
import { startServer, type TestServer } from "../support/server/server.ts"
import { postSlowNames, slowSearch } from "../support/server/slow-search.ts"
import { untilFlushed } from "../support/server/until-flushed.ts"
import { eventually } from "../support/time/eventually.ts"
import { addLine, ProcessWork, type WorkLine } from "./process-work.ts"
import { assertWork, Counts } from "./work-file.ts"

const hosts = Array.from({ length: 100 }, (_, i) => `host-${i}`)
const minuteMs = 60_000
/** The server's clock stands still: no cycle ends, and the samples of this one are not flushed. */
const nowMs = startOfHourMs + minuteMs / 2
const yesterdayMs = startOfHourMs - dayMs
const textOf = (ms: number): string => new Date(ms).toISOString()
const flags = [
  ["--clock", `${textOf(nowMs - 1)},x1,${textOf(nowMs)}`],
  ["--workers", "2"],
  ["--helpers", "1"],
].flat()

/** A server whose work is counted; ended with the test. */
class CountedServer {
  private readonly counts = new Counts()
  private readonly work: ProcessWork
  private readonly folder: string
  private server: TestServer | null = null

  constructor(t: TestContext) {
    this.folder = makeFolder()
    this.work = new ProcessWork(this.folder)
    t.after(async () => {
      await this.server?.stop()
      removeFolder(this.folder)
    })
  }

  async start(more: readonly string[] = []): Promise<void> {
    await this.server?.stop()
    this.work.take()
    const program = ["--import", bundleOf("test/work/process-work-child.ts"), ...deliveredProgram()]
    const env = { ...this.work.env, [tuningsVariable]: "" }
    this.server = await startServer({
      folder: `${this.folder}/data`,
      program,
      flags: [...flags, ...more],
      env,
    })
  }

  get client(): Client {
    return this.server!.client
  }

  /** Whether a thread has started since the last call of `take`. */
  hasStarted(thread: string): boolean {
    return this.work.newLines().some((line) => line.kind === "thread" && line.thread === thread)
  }

  /** The line of what was done since the last call. */
  take(isCounted: (line: WorkLine) => boolean = () => true): string {
    for (const line of this.work.take().filter(isCounted)) addLine(line, this.counts)
    return this.counts.take()
  }
}

/** A body of elements, each with a sample a minute. */
function bodyOf(ids: readonly string[], fromMs: number, samplesEach = 60): object[] {
  const samples = Array.from({ length: samplesEach }, (_, i) => {
    return { metricId: "cpu", timestamp: fromMs + i * minuteMs, val: i % 7 }
  })
  return ids.map((id) => ({ id, type: "SERVER", samples }))
}

async function post(client: Client, body: unknown): Promise<void> {
  const { status, text } = await client.ingest(body)
  assert.equal(status, 202, text)
}

/** By `fetch`, which accepts what it can decode; throws unless all elements are in the answer. */
async function fetchStatistics(
  { url, authorization }: Client,
  window: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const query = new URLSearchParams({ fqn: "cpu", rollup: "PT5M", ...window })
  const headers = { authorization, ...more }
  const answer = await fetch(new URL(`/metrics/statistics?${query.toString()}`, url), { headers })
  assert.equal(answer.status, 200)
  const { metrics } = (await answer.json()) as { readonly metrics: readonly unknown[] }
  assert.equal(metrics.length, hosts.length)
}

/** Samples of yesterday, all of them flushed, and names on which expressions are slow. */
async function fill(client: Client): Promise<void> {
  await post(client, bodyOf(hosts, yesterdayMs))
  await postSlowNames(client, yesterdayMs)
  await untilFlushed(client)
}

const yesterday = { startTime: textOf(yesterdayMs), endTime: textOf(yesterdayMs + hourMs) }
const today = { startTime: textOf(startOfHourMs), endTime: textOf(nowMs) }
const across = {
  metricFqns: { and: false, items: [{ item: "cpu", literal: true, contains: true }] },
  startDate: yesterday.startTime,
  endDate: yesterday.endTime,
}

test("threads start, and bytes pass between them, as the file says, and no more", async (t) => {
  const server = new CountedServer(t)
  const work: Record<string, string> = {}
  const note = async (name: string, act: (client: Client) => Promise<unknown>) => {
    await act(server.client)
    work[name] = server.take()
  }
  await server.start()
  await fill(server.client)
  // The second start finds series to warm up for.
  await server.start()
  // The last to start.
  await eventually(() => server.hasStarted("closing"))
  // How the warm-up is shared between threads is a matter of chance.
  work["start"] = server.take(({ kind }) => kind === "thread")
  await note("statistics by fetch", (client) => fetchStatistics(client, yesterday))
  const forwarded = { "x-forwarded-for": "192.0.2.1" }
  await note("statistics by fetch, through a proxy", (client) =>
    fetchStatistics(client, yesterday, forwarded),
  )
  await note("statistics by fetch, brotli accepted, through a proxy", (client) =>
    fetchStatistics(client, yesterday, { "accept-encoding": "br", ...forwarded }),
  )
  await note("average across elements", async (client) => {
    const path = "/metrics/crosselementagg?aggregation=avg&statistic=avg"
    assert.equal((await client.post(path, across)).status, 200)
  })
  await note("post of one element, 60 samples", (client) =>
    post(client, bodyOf([hosts[0]!], startOfHourMs - hourMs)),
  )
  // Otherwise their times may be among those that the query of samples is given.
  await untilFlushed(server.client)
  server.take()
  await note("post of 100 elements, a sample each", (client) =>
    post(client, bodyOf(hosts, startOfHourMs, 1)),
  )
  await note("statistics of samples that are not flushed", (client) =>
    fetchStatistics(client, today),
  )

  // A query that runs for 0.3 s is long (longQueryMs); this one would take minutes.
  await server.start(["--query-timeout", "PT1S"])
  await eventually(() => server.hasStarted("closing"))
  server.take()
  await note("a long query, and none that waits", async (client) => {
    assert.equal((await client.post("/metrics/search/metricQuery", slowSearch())).status, 503)
  })
  assertWork("server.json", work)
})
