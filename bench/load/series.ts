/**
 * Many series: what a new one costs, what an active one holds, how long a restart takes with them.
 */

import { join } from "node:path"
import { createCorpus, sliceCorpus } from "./corpus.ts"
import { drive } from "./drive.ts"
import type { Figure } from "./figures.ts"
import { noteOf, settleServer } from "./ingest.ts"
import { cpuSeconds, rssBytes, restSeconds, settle } from "./process.ts"
import { metricsPerElement, type SectionContext, seriesSizes } from "./section.ts"
import { startServer } from "./server.ts"
import type { Subject } from "./subjects.ts"
import { createWorkload } from "./workload.ts"

const minuteMs = 60_000
const request = { elements: 1, minutes: 1 }
const driveSecondsMax = 60

/** Two samples of now for each series: the cycle is open, as it is in a server at work. */
export async function measureSeries(context: SectionContext): Promise<Figure[]> {
  const figures: Figure[] = []
  // InfluxDB 1.x would take minutes for a million series: the run must stay bearable.
  const peers = context.peers.filter((peer) => peer.format !== "line")
  for (const subject of [context.subject, ...peers]) {
    context.say(`series: ${subject.name}`)
    figures.push(...(await measureSubject(context, subject)))
  }
  return figures
}

async function measureSubject(context: SectionContext, subject: Subject): Promise<Figure[]> {
  const { elements, settleSeconds } = seriesSizes[context.size]
  const folder = join(context.scratch, `series-${subject.name}`)
  const server = await startServer(subject, { folder, processors: "0" })
  try {
    const startMs = Math.floor(context.nowMs() / minuteMs) * minuteMs - 2 * minuteMs
    const shape = { elements, metrics: metricsPerElement, minutes: 2, startMs }
    const corpus = createCorpus(createWorkload(shape), request, server)
    const { port } = server.launch.target
    const to = { port, connections: context.connections, secondsMax: driveSecondsMax }
    const idleBytes = rssBytes(server.pid)
    const before = cpuSeconds(server.pid)
    const first = await drive({ ...to, ...sliceCorpus(corpus, 0, elements) })
    const after = cpuSeconds(server.pid)
    const note = noteOf(first, true)
    const of = { subject: subject.name }
    const figures: Figure[] = [
      { name: "newSeries", ...of, note, value: first.samples / (after - before) },
    ]
    // The floor keeps no series; of the others only their start differs from ours.
    if (subject.format === "tidegauge" && subject !== context.subject) return figures
    await drive({ ...to, ...sliceCorpus(corpus, elements, 2 * elements) })
    await settleServer(server, settleSeconds)
    const busyBytes = rssBytes(server.pid)
    await settle(server.pid, restSeconds)
    const bytes = rssBytes(server.pid)
    const told =
      `${(busyBytes / first.samples).toFixed(0)} before it had rested; ` +
      `${(idleBytes / 1024 ** 2).toFixed(0)} MiB of it without any series`
    figures.push({ name: "seriesMemory", ...of, note: told, value: bytes / first.samples })
    await server.stop("SIGKILL")
    figures.push({ name: "restart", ...of, value: await secondsToReady(subject, folder) })
    return figures
  } finally {
    await server.stop()
  }
}

async function secondsToReady(subject: Subject, folder: string): Promise<number> {
  const again = await startServer(subject, { folder, processors: "0" })
  await again.stop()
  return again.secondsToReady
}
