/**
 * CPU of queries, on servers with the same samples that start in turn: a process may be a third
 * slower than the next one of its build, so a figure is the least of several starts. Each is asked
 * first by `fetch`, as clients ask: with a password, and with compressed answers accepted.
 */

import { setTimeout as wait } from "node:timers/promises"
import { join } from "node:path"
import { chartQueriesOf } from "../load/charts.ts"
import { figureKinds } from "../load/figures.ts"
import { cpuMs, restSeconds, settle } from "../load/process.ts"
import { asking, logIn, queriesOf } from "../load/queries.ts"
import { dayMs } from "../load/section.ts"
import { pinClient, startServer, type Server } from "../load/server.ts"
import { loadInOrder, statisticsWorkload } from "../load/statistics.ts"
import type { Workload } from "../load/workload.ts"
import { inTurn, subjectOf, type Measuring } from "./builds.ts"
import type { BuildName } from "./costs.ts"
import { fetchQueriesOf } from "./fetch-queries.ts"

/** Of the client and the server, as in use. */
const processors = "0,1"
/** Of each build. */
const starts = 5
/** Of each query at each start. */
const rounds = 10
/** A thread that a query starts is ready earlier. */
const afterQueryMs = 1_500

export async function measureQueryCosts(measuring: Measuring): Promise<void> {
  pinClient(processors)
  const midnightMs = Math.floor(Date.now() / dayMs) * dayMs
  const workload = statisticsWorkload({ size: measuring.size, midnightMs })
  for (const build of inTurn(0)) await load(measuring, build, workload)
  for (let round = 0; round < starts; round++) {
    measuring.say(`queries: start ${round + 1} of ${starts}`)
    for (const build of inTurn(round)) await askAfterStart(measuring, build, workload)
  }
}

function start(measuring: Measuring, build: BuildName): Promise<Server> {
  const folder = join(measuring.scratch, build)
  return startServer(subjectOf(measuring, build), { folder, processors })
}

async function load(measuring: Measuring, build: BuildName, workload: Workload): Promise<void> {
  measuring.say(`queries: loading ${build}`)
  const server = await start(measuring, build)
  await loadInOrder(server, workload)
  await settle(server.pid, restSeconds)
  await server.stop()
}

async function askAfterStart(
  measuring: Measuring,
  build: BuildName,
  workload: Workload,
): Promise<void> {
  const server = await start(measuring, build)
  const add = (name: string, cost: number) => measuring.costs.add({ name, unit: "ms" }, build, cost)
  const addRounds = async (name: string, ask: () => Promise<unknown>) => {
    for (let i = 0; i < rounds; i++) add(name, await costOf(server, ask))
  }
  try {
    await asking(server, workload, async (asked) => {
      await logIn(asked)
      const fetched = fetchQueriesOf(server, workload)
      const first = await costOf(server, async () => {
        for (const { ask } of fetched) await ask()
        await wait(afterQueryMs)
      })
      add("a start's first answers to fetch, and 1.5 s more", first)
      for (const { name, ask } of fetched) await addRounds(`${name}, by fetch`, ask)
      for (const query of [...(await queriesOf(asked)), ...(await chartQueriesOf(asked))]) {
        await addRounds(figureKinds[query.name].title, () => query.ask(asked))
      }
    })
  } finally {
    await server.stop()
  }
}

async function costOf({ pid }: Server, work: () => Promise<unknown>): Promise<number> {
  const before = cpuMs(pid)
  await work()
  return cpuMs(pid) - before
}
