/**
 * Warm loads: `npm run bench:warm`, about 50 minutes. A server runs for months, and the loads of
 * `npm run bench` last ten seconds from its start. Here it takes the same load for two minutes, and
 * then five loads of a minute, each settled before the next; VictoriaMetrics after it likewise.
 *
 *   npm run bench:warm -- --only agent --seconds 2 --warm 4 --rounds 2 --size small    20 s
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { bulkConnectionsMax } from "./load/ingest.ts"
import { createMixedWorkload } from "./load/mixed-workload.ts"
import {
  agentSizes,
  bulkSizes,
  connectionsDefault,
  dayMs,
  type LoadSize,
  metricsPerElement,
  mixedSizes,
} from "./load/section.ts"
import { hasCommand, killServers, pinClient, type Server, startServer } from "./load/server.ts"
import { type Subject, tidegauge, victoriaMetrics, victoriaMetricsImport } from "./load/subjects.ts"
import { createWorkload } from "./load/workload.ts"
import { machineLine } from "./machine.ts"
import type { BenchSize } from "./parts/populations.ts"
import { allIsRolledUp } from "./rounds.ts"
import { type MovingCorpus, movingCorpus, movingMixedCorpus } from "./warm/moving-corpus.ts"
import { measureWarm, type WarmFigures, type WarmTimes } from "./warm/warm-load.ts"
import { warmReport, type WarmResult } from "./warm/warm-report.ts"

/** Days before this midnight: the server takes 20 of the past, and a run goes through 4 to 14. */
const daysBack = 18
const coldSecondsMax = 10
const settleSeconds = 120

interface Plan {
  readonly peer: Subject
  readonly goal: number
  readonly isPaced: boolean
  readonly connections: number
  corpus(server: Server): MovingCorpus
}

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "agent,mixed,bulk" },
    size: { type: "string", default: "canonical" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "60" },
    warm: { type: "string", default: "120" },
    server: { type: "string", default: "dist/main.js" },
    "no-peers": { type: "boolean", default: false },
    scratch: { type: "string" },
    out: { type: "string" },
  },
})

function numberOf(name: "rounds" | "seconds" | "warm"): number {
  const number = Number(values[name])
  if (Number.isInteger(number) && number >= 1 && number <= 3600) return number
  throw new Error(`Cannot take --${name} ${values[name]}: expected 1 to 3600`)
}

function sizeOf(): BenchSize {
  const { size } = values
  if (size === "small" || size === "canonical") return size
  throw new Error(`Cannot take --size ${size}: expected small or canonical`)
}

const say = (line: string): void => void process.stderr.write(`${line}\n`)

function plansOf(size: BenchSize): Readonly<Record<string, Plan>> {
  const untilMs = Date.now()
  const startMs = Math.floor(untilMs / dayMs) * dayMs - daysBack * dayMs
  const plain = (of: LoadSize) => (server: Server) => {
    const { elements, minutes, request } = of
    const workload = createWorkload({ elements, metrics: metricsPerElement, minutes, startMs })
    return movingCorpus(workload, request, server, untilMs)
  }
  const mixed = (server: Server) => {
    const { elements, minutes } = mixedSizes[size]
    const shape = { elements, minutes, startMs, hasGenerations: true }
    return movingMixedCorpus(createMixedWorkload(shape), server, untilMs)
  }
  // Of a small size one pass has fewer requests than 64 connections keep on their way.
  const connections = size === "small" ? 8 : connectionsDefault
  const many = { connections, peer: victoriaMetrics }
  const bulk = size === "small" ? 2 : bulkConnectionsMax
  return {
    agent: { ...many, goal: 2.5, isPaced: true, corpus: plain(agentSizes[size]) },
    mixed: { ...many, goal: 1.2, isPaced: false, corpus: mixed },
    bulk: {
      peer: victoriaMetricsImport,
      goal: 1.2,
      isPaced: false,
      connections: bulk,
      corpus: plain(bulkSizes[size]),
    },
  }
}

async function measureServer(
  subject: Subject,
  plan: Plan,
  times: WarmTimes,
  scratch: string,
): Promise<WarmFigures> {
  const folder = mkdtempSync(join(scratch, "server-"))
  const server = await startServer(subject, { folder, processors: "0" })
  try {
    const corpus = plan.corpus(server)
    const isPaced = plan.isPaced && subject !== plan.peer
    const { connections } = plan
    const lines = (line: string): void => say(`  ${line}`)
    const figures = await measureWarm({ server, corpus, connections, times, isPaced, say: lines })
    say(`  ${corpus.passes} passes of ${corpus.length} requests`)
    return figures
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function main(): Promise<void> {
  const machine = machineLine()
  const plans = plansOf(sizeOf())
  const [seconds, warmSeconds] = [numberOf("seconds"), numberOf("warm")]
  const coldSeconds = Math.min(coldSecondsMax, warmSeconds)
  const pacedSeconds = Math.max(5, Math.min(30, seconds))
  const rounds = numberOf("rounds")
  const times = { rounds, seconds, warmSeconds, coldSeconds, pacedSeconds, settleSeconds }
  const names = values.only.split(",")
  const unknown = names.find((name) => !Object.hasOwn(plans, name))
  if (unknown !== undefined) throw new Error(`Cannot take --only ${unknown}: no such load`)
  const scratch = mkdtempSync(join(values.scratch ?? tmpdir(), "tidegauge-warm-"))
  process.once("exit", () => {
    killServers()
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  })
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))
  if (availableParallelism() > 1) pinClient("1")
  const withPeers = !values["no-peers"] && hasCommand("victoria-metrics")
  const ours = { ...tidegauge(resolve(values.server)), check: allIsRolledUp }
  const results: WarmResult[] = []
  for (const name of names) {
    const plan = plans[name]!
    const measure = (subject: Subject) => {
      say(`${name}: ${subject.name}`)
      return measureServer(subject, plan, times, scratch)
    }
    const of = { title: name, peer: plan.peer.name, goal: plan.goal, ours: await measure(ours) }
    results.push(withPeers ? { ...of, theirs: await measure(plan.peer) } : of)
  }
  const loads = `${rounds} loads of ${seconds} s after ${warmSeconds} s of the same`
  const text =
    `Machine: ${machine}\n\nSize: ${values.size}; samples a CPU second of the server, medians of ` +
    `${loads}; cold is the first ${coldSeconds} s after the start\n\n${warmReport(results)}\n`
  process.stdout.write(text)
  if (values.out === undefined) return
  mkdirSync(dirname(resolve(values.out)), { recursive: true })
  writeFileSync(values.out, text)
}

main().catch((error: unknown) => {
  say(`bench:warm: ${String((error as Error).stack)}`)
  process.exit(1)
})
