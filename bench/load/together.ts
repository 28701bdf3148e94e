/**
 * Queries and ingest together: a server that has a day of a thousand elements is queried for it
 * again and again, gets agents' samples at half of its capacity, and then both together. Each is
 * compared with its figure alone.
 */

import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { type Corpus, createCorpus, sliceCorpus } from "./corpus.ts"
import { drive, type DriveFigures } from "./drive.ts"
import type { Figure } from "./figures.ts"
import { noteOf, settleServer } from "./ingest.ts"
import { cpuSeconds } from "./process.ts"
import { queryDay, type Asking, asking, minutesPerDay } from "./queries.ts"
import { dayMs, metricsPerElement, type SectionContext, togetherSizes } from "./section.ts"
import { type Server, startServer } from "./server.ts"
import { loadInOrder } from "./statistics.ts"
import { createWorkload, type Workload } from "./workload.ts"

/** A dashboard or two: between an answer and the next query. */
const pauseMs = 100
const compactionPauseMs = 12_000

export async function measureTogether(context: SectionContext): Promise<Figure[]> {
  const { elements, settleSeconds } = togetherSizes[context.size]
  const startMs = context.midnightMs - dayMs
  const workload = createWorkload({ elements, metrics: 1, minutes: minutesPerDay, startMs })
  const folder = join(context.scratch, "together")
  const server = await startServer(context.subject, { folder, processors: "0" })
  try {
    context.say("together: loading a day")
    await loadInOrder(server, workload)
    await compacted(server, settleSeconds)
    const agents = agentsOf(context, server)
    const rate = await halfOfCapacity(context, server, agents)
    return await asking(server, workload, (asked) => {
      return measureBoth({ context, server, workload, asked, rate, agents: agents.paced })
    })
  } finally {
    await server.stop()
  }
}

/** Until past days are compacted too, which waits for ten quiet seconds. */
async function compacted(server: Server, secondsMax: number): Promise<void> {
  await settleServer(server, secondsMax)
  await wait(compactionPauseMs)
  await settleServer(server, secondsMax)
}

/**
 * A run that measures the capacity, and two runs at half of it. Of the elements that are queried,
 * and of the day before the queried one: that one stays compacted.
 */
function agentsOf(context: SectionContext, server: Server) {
  const { agents } = togetherSizes[context.size]
  const { elements, request } = agents
  const shape = { elements, metrics: metricsPerElement, minutes: agents.minutes }
  const startMs = context.midnightMs - 2 * dayMs
  const workload = createWorkload({ ...shape, startMs })
  const corpus = createCorpus(workload, request, server)
  const total = corpus.requests.length
  const third = Math.floor(total / 3)
  const warm = 2 * elements
  return {
    warm: sliceCorpus(corpus, 0, warm),
    capacity: sliceCorpus(corpus, warm, third),
    paced: [sliceCorpus(corpus, third, 2 * third), sliceCorpus(corpus, 2 * third, total)],
  }
}

/** Requests a second: half of what a second of the server's one processor settles. */
async function halfOfCapacity(
  context: SectionContext,
  server: Server,
  { warm, capacity }: { readonly warm: Corpus; readonly capacity: Corpus },
): Promise<number> {
  const { agents, seconds } = togetherSizes[context.size]
  const { connections } = context
  const to = { port: server.launch.target.port, connections, secondsMax: seconds }
  await drive({ ...to, ...warm })
  await settleServer(server, agents.settleSeconds)
  const before = cpuSeconds(server.pid)
  const sent = await drive({ ...to, ...capacity })
  await settleServer(server, agents.settleSeconds)
  const rate = sent.requests / (cpuSeconds(server.pid) - before) / 2
  await compacted(server, agents.settleSeconds)
  return rate
}

interface Both {
  readonly context: SectionContext
  readonly server: Server
  readonly workload: Workload
  readonly asked: Asking
  readonly rate: number
  readonly agents: readonly Corpus[]
}

async function measureBoth(both: Both): Promise<Figure[]> {
  const { context, rate, agents } = both
  const { seconds, agents: size } = togetherSizes[context.size]
  context.say(`together: ${Math.round(rate)} requests a second`)
  const isOver = new AbortController()
  setTimeout(() => isOver.abort(), seconds * 1000)
  const quietAnswers = await askUntil(both.asked, isOver.signal)
  const quiet = await ingest(both, agents[0]!)
  await compacted(both.server, size.settleSeconds)
  const isSent = new AbortController()
  const [answers, busy] = await Promise.all([
    askUntil(both.asked, isSent.signal),
    ingest(both, agents[1]!).finally(() => isSent.abort()),
  ])
  return figuresOf({ context, rate, quietAnswers, answers, quiet, busy })
}

function figuresOf(found: {
  readonly context: SectionContext
  readonly rate: number
  readonly quietAnswers: readonly number[]
  readonly answers: readonly number[]
  readonly quiet: DriveFigures
  readonly busy: DriveFigures
}): Figure[] {
  const subject = found.context.subject.name
  const [alone, beside] = [median(found.quietAnswers), median(found.answers)]
  const [quietMs, busyMs] = [found.quiet.undisturbed.p99Ms, found.busy.undisturbed.p99Ms]
  const ms = (value: number): string => value.toFixed(1)
  const pace = `${Math.round(found.rate)} requests a second`
  const refusals = noteOf(found.busy, true)
  const ingestNote =
    `${ms(quietMs)} and ${ms(busyMs)} ms; p50 ${ms(found.quiet.undisturbed.p50Ms)} and ` +
    `${ms(found.busy.undisturbed.p50Ms)} ms; ${pace}${refusals === "" ? "" : `; ${refusals}`}`
  const queryNote = `${ms(alone)} and ${ms(beside)} ms; ${found.answers.length} answers`
  return [
    { name: "togetherQuery", subject, value: beside / alone, note: queryNote },
    { name: "togetherIngest", subject, value: busyMs / quietMs, note: ingestNote },
  ]
}

function ingest({ context, server, rate }: Both, corpus: Corpus): Promise<DriveFigures> {
  const { seconds } = togetherSizes[context.size]
  const { connections } = context
  const { port } = server.launch.target
  return drive({ port, ...corpus, connections, secondsMax: seconds, rate })
}

/** One query after the other; how long each took, in milliseconds, except the first. */
async function askUntil(asked: Asking, isOver: AbortSignal): Promise<number[]> {
  await queryDay.ask(asked)
  const answers: number[] = []
  do {
    answers.push((await queryDay.ask(asked)).ms)
    await wait(pauseMs)
  } while (!isOver.aborted)
  return answers
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}
