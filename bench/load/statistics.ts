/** Statistics: two weeks of one metric of many elements, asked warm and cold; and their disk. */

import { setTimeout as wait } from "node:timers/promises"
import { join } from "node:path"
import { bodies } from "./bodies.ts"
import { chartQueriesOf } from "./charts.ts"
import { measureCold } from "./cold.ts"
import { Connection, postRequest } from "./connection.ts"
import type { Figure } from "./figures.ts"
import { settleServer } from "./ingest.ts"
import { diskBytes, restSeconds, settle } from "./process.ts"
import { type Asking, asking, minutesPerDay, type LoadQuery, queriesOf } from "./queries.ts"
import { dayMs, type SectionContext, statisticsSizes } from "./section.ts"
import { type Server, startServer } from "./server.ts"
import { createWorkload, cutWorkload, type Cut, type Workload } from "./workload.ts"

const loadConnections = 4
/** 250 elements × 80 minutes: about 1.2 MB. */
const minutesPerRequest = 80
const warmRuns = 5

/** A sample a minute of one metric, up to midnight. */
export function statisticsWorkload({
  size,
  midnightMs,
}: Pick<SectionContext, "size" | "midnightMs">): Workload {
  const { elements, days } = statisticsSizes[size]
  const startMs = midnightMs - days * dayMs
  return createWorkload({ elements, metrics: 1, minutes: days * minutesPerDay, startMs })
}

export async function measureStatistics(context: SectionContext): Promise<Figure[]> {
  const { settleSeconds } = statisticsSizes[context.size]
  const workload = statisticsWorkload(context)
  const samples = workload.elements * workload.minutes
  const folder = join(context.scratch, "statistics")
  const processors = context.cores > 1 ? "0,1" : "0"
  const server = await startServer(context.subject, { folder, processors })
  try {
    context.say(`statistics: loading ${samples} samples in time order`)
    const startedMs = performance.now()
    await loadInOrder(server, workload)
    const seconds = (performance.now() - startedMs) / 1000
    const isSettled = await settleServer(server, settleSeconds)
    context.say(`statistics: loaded in ${seconds.toFixed(1)} s`)
    const note = isSettled ? "" : "still busy when the wait ended"
    const loaded = diskBytes(server.dataFolder)
    const { questions, figures } = await askAll(server, workload)
    await server.stop()
    context.say("statistics: asked again after restarts")
    const start = () => startServer(context.subject, { folder, processors })
    const cold = await measureCold({ start, workload, questions, warm: figures, folder })
    const rested = await diskAtRest(start)
    const toldLoaded = [note, `${(loaded / samples).toFixed(2)} right after loading`]
    const disk: Figure = {
      name: "disk",
      subject: context.subject.name,
      note: toldLoaded.filter(Boolean).join("; "),
      value: rested / samples,
    }
    return [...figures, disk, ...cold]
  } finally {
    await server.stop()
  }
}

/** Bytes of the files once the last day is compacted, too, and the WAL of the load is removed. */
async function diskAtRest(start: () => Promise<Server>): Promise<number> {
  const server = await start()
  try {
    await settle(server.pid, restSeconds)
    return diskBytes(server.dataFolder)
  } finally {
    await server.stop()
  }
}

async function askAll(
  server: Server,
  workload: Workload,
): Promise<{ readonly questions: readonly LoadQuery[]; readonly figures: readonly Figure[] }> {
  return asking(server, workload, async (asked) => {
    const questions = await queriesOf(asked)
    const figures: Figure[] = []
    for (const question of questions) figures.push(await measure(asked, question))
    for (const query of await chartQueriesOf(asked)) figures.push(await measure(asked, query))
    return { questions, figures }
  })
}

/**
 * Builds the next requests while the server works on the last; time never runs back by more than
 * one group.
 */
export async function loadInOrder(server: Server, workload: Workload): Promise<void> {
  const { target } = server.launch
  const cuts = cutWorkload(workload, {
    elements: Math.ceil(workload.elements / loadConnections),
    minutes: minutesPerRequest,
  })
  const open = Array.from({ length: loadConnections }, () => Connection.open(target.port))
  const opened = await Promise.all(open)
  const build = (cut: Cut) => postRequest(target, bodies[server.subject.format](workload, cut))
  let sent: Promise<void> = Promise.resolve()
  for (let at = 0; at < cuts.length; at += loadConnections) {
    const requests = cuts.slice(at, at + loadConnections).map(build)
    await sent
    sent = sendGroup(opened, requests)
  }
  await sent
  for (const connection of opened) connection.close()
}

async function sendGroup(
  opened: readonly Connection[],
  requests: readonly Buffer[],
): Promise<void> {
  await Promise.all(requests.map((request, i) => sendPatiently(opened[i]!, request)))
}

/** A full queue is answered with 503 and means "later". */
async function sendPatiently(connection: Connection, request: Buffer): Promise<void> {
  for (;;) {
    const { status, body } = await connection.send(request)
    if (status === 202) return
    if (status !== 503 && status !== 429) throw new Error(`${status} ${body.slice(0, 300)}`)
    await wait(50)
  }
}

/** The median of a few, after a first that warms caches. */
async function measure(asked: Asking, { name, ask }: LoadQuery): Promise<Figure> {
  const first = await ask(asked)
  const warm: number[] = []
  for (let run = 0; run < warmRuns; run++) warm.push((await ask(asked)).ms)
  const value = warm.toSorted((a, b) => a - b)[warmRuns >> 1]!
  const subject = asked.server.subject.name
  return { name, subject, value, note: `first ${first.ms.toFixed(0)} ms` }
}
