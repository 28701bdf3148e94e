/**
 * One server that runs on: its first seconds (cold), the rest of its warm-up, loads that settle one
 * after the other, the work that is left after the last of them, and the latencies at half of
 * capacity.
 */

import { cpuSeconds, rssBytes, settle } from "../load/process.ts"
import { drive, type DriveFigures } from "../load/drive.ts"
import { settleServer } from "../load/ingest.ts"
import type { Server } from "../load/server.ts"
import type { MovingCorpus } from "./moving-corpus.ts"

export interface WarmTimes {
  readonly rounds: number
  /** Of each load. */
  readonly seconds: number
  /** Before the first load, the cold seconds included. */
  readonly warmSeconds: number
  readonly coldSeconds: number
  readonly pacedSeconds: number
  readonly settleSeconds: number
}

/** Samples a CPU second of the server. */
export interface LoadRates {
  readonly acknowledged: number
  readonly settled: number
}

export interface WarmFigures {
  readonly cold: LoadRates
  readonly loads: readonly LoadRates[]
  /** All loads, over all processor time from the first of them until ten quiet seconds have passed. */
  readonly wholeSettled: number
  readonly rssMib: number
  /** The most that a load took of the client's one processor. */
  readonly clientShare: number
  /** Absent for a server that was not asked. */
  readonly paced?: DriveFigures
  /** Requests a second of `paced`. */
  readonly rate: number
  readonly notes: readonly string[]
}

interface WarmRun {
  readonly server: Server
  readonly corpus: MovingCorpus
  readonly connections: number
  readonly times: WarmTimes
  readonly isPaced: boolean
  readonly say: (line: string) => void
}

/** After these, days of the past are compacted: our server waits for ten quiet seconds. */
const lastGraceSeconds = 12
const warmUpOfPacedSeconds = 3

export async function measureWarm(run: WarmRun): Promise<WarmFigures> {
  const { server, times, say } = run
  const notes: string[] = []
  const cold = await measureLoad(run, times.coldSeconds, notes)
  say(`cold ${ratesText(cold)}`)
  await send(run, times.warmSeconds - times.coldSeconds)
  await settleServer(server, times.settleSeconds)
  const beforeCpu = cpuSeconds(server.pid)
  const loads: MeasuredLoad[] = []
  for (let round = 1; round <= times.rounds; round++) {
    const load = await measureLoad(run, times.seconds, notes)
    say(`load ${round} ${ratesText(load)}`)
    loads.push(load)
  }
  const grace = { graceSeconds: lastGraceSeconds, secondsMax: times.settleSeconds }
  if (!(await settle(server.pid, grace))) notes.push("still busy at the end")
  await server.subject.check?.(server.launch)
  const samples = loads.reduce((sum, load) => sum + load.samples, 0)
  const wholeSettled = samples / (cpuSeconds(server.pid) - beforeCpu)
  const rate = median(loads.map(({ settled, perRequest }) => settled / perRequest)) / 2
  const figures = {
    cold,
    loads,
    wholeSettled,
    rssMib: rssBytes(server.pid) / 1024 ** 2,
    clientShare: Math.max(...loads.map(({ clientShare }) => clientShare)),
    rate,
    notes: [...new Set(notes)],
  }
  return run.isPaced ? { ...figures, paced: await pacedLoad(run, rate) } : figures
}

interface MeasuredLoad extends LoadRates {
  readonly samples: number
  /** Samples of a request, on average. */
  readonly perRequest: number
  readonly clientShare: number
}

/** As fast as it is answered, then until it has settled. */
async function measureLoad(run: WarmRun, seconds: number, notes: string[]): Promise<MeasuredLoad> {
  const { server, times } = run
  const beforeCpu = cpuSeconds(server.pid)
  const client = process.cpuUsage()
  const sent = await send(run, seconds)
  const { user, system } = process.cpuUsage(client)
  const sentCpu = cpuSeconds(server.pid)
  if (!(await settleServer(server, times.settleSeconds))) notes.push("still busy after a load")
  if (sent.refused > 0) notes.push(`${sent.refused} refused: ${sent.firstRefusal}`)
  return {
    acknowledged: sent.samples / (sentCpu - beforeCpu),
    settled: sent.samples / (cpuSeconds(server.pid) - beforeCpu),
    samples: sent.samples,
    perRequest: sent.samples / sent.requests,
    clientShare: (user + system) / 1e6 / sent.seconds,
  }
}

function send({ server, corpus, connections }: WarmRun, secondsMax: number): Promise<DriveFigures> {
  const { port } = server.launch.target
  return drive({ port, ...corpus.next(), connections, secondsMax })
}

function pacedLoad(run: WarmRun, rate: number): Promise<DriveFigures> {
  const { server, corpus, connections, times, say } = run
  say(`at ${Math.round(rate)} requests a second`)
  const { port } = server.launch.target
  const seconds = { secondsMax: times.pacedSeconds, warmUpSeconds: warmUpOfPacedSeconds }
  return drive({ port, ...corpus.next(), connections, rate, ...seconds })
}

function ratesText({ acknowledged, settled }: LoadRates): string {
  const thousands = (value: number) => `${Math.round(value / 1000)} k`
  return `${thousands(acknowledged)} acknowledged, ${thousands(settled)} settled`
}

/** Of an odd number of values the middle one, of an even number the upper of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
