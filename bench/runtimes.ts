/**
 * The same build on several lines of Node, in turn: `npm run bench:runtimes [-- --rounds 3]`. It
 * decides which runtime the single executable carries. The binaries come from `.ci/runtimes`; each
 * figure is the median of the rounds. After each load all samples must be rolled up, and `verify`
 * computes every bucket again.
 */

import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { parseArgs } from "node:util"
import { figureKinds, type FigureName } from "./load/figures.ts"
import { measureLoad, type SectionName } from "./load/load.ts"
import { dayMs, type SectionContext } from "./load/section.ts"
import { killServers } from "./load/server.ts"
import { type Launch, type Subject, tidegauge } from "./load/subjects.ts"
import { machineLine } from "./machine.ts"
import { markdownTable, shortNumber } from "./table.ts"

const lines = ["20", "24", "26"]
const sections: readonly SectionName[] = ["agent", "mixed", "bulk", "statistics"]
const rolledUpSecondsMax = 60
const entry = resolve("dist/main.js")

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    size: { type: "string", default: "canonical" },
    only: { type: "string", default: sections.join(",") },
  },
})
const scratch = mkdtempSync(join(tmpdir(), "tidegauge-runtimes-"))
const say = (line: string): void => void process.stderr.write(`${line}\n`)
process.once("exit", () => {
  killServers()
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))

const only = values.only.split(",")
const found = new Map<FigureName, Map<string, number[]>>()
for (let round = 0; round < Number(values.rounds); round++) {
  // Each round begins with another one, so that no line is always first.
  const turned = lines.map((_, i) => lines[(i + round) % lines.length]!)
  for (const section of sections.filter((one) => only.includes(one))) {
    for (const line of turned) await measure(section, line, round)
  }
}
process.stdout.write(`Machine: ${machineLine()}\n\n${table()}\n`)

async function measure(section: SectionName, line: string, round: number): Promise<void> {
  say(`round ${round + 1}: ${section} on Node ${line}`)
  const context = contextOf(line, mkdtempSync(join(scratch, `${section}-`)))
  const figures = await measureLoad([section], context, (_, error) => {
    throw error
  })
  verifyAll(line, context.scratch)
  for (const { name, value } of figures) {
    const byLine = found.get(name) ?? new Map<string, number[]>()
    found.set(name, byLine)
    byLine.set(line, [...(byLine.get(line) ?? []), value])
  }
  rmSync(context.scratch, { recursive: true, force: true, maxRetries: 5 })
}

function contextOf(line: string, folder: string): SectionContext {
  const nowMs = Date.now
  return {
    size: values.size === "small" ? "small" : "canonical",
    subject: subjectOn(line),
    peers: [],
    scratch: folder,
    midnightMs: Math.floor(nowMs() / dayMs) * dayMs,
    nowMs,
    cores: availableParallelism(),
    connections: 64,
    say: () => {},
  }
}

function nodeOf(line: string): string {
  return resolve(`.ci/runtimes/node_modules/node${line}/bin/node`)
}

function subjectOn(line: string): Subject {
  const node = resolve(`.ci/runtimes/node_modules/node${line}/bin/node`)
  return {
    ...tidegauge(resolve("dist/main.js"), { name: `Node ${line}`, node }),
    check: allIsRolledUp,
  }
}

/**
 * Resolves when no sample waits for its rollup. What is not sealed by then is printed: a block that
 * was sealed during the load and had samples after that is sealed again ten minutes later.
 */
async function allIsRolledUp({ readyUrl }: Launch): Promise<void> {
  const untilMs = performance.now() + rolledUpSecondsMax * 1000
  while (performance.now() < untilMs) {
    const text = await (await fetch(new URL("/metrics/internal", readyUrl))).text()
    const gauge = (name: string) => new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]
    if (gauge("tidegauge_open_samples") === "0") {
      say(`all is rolled up; blocks to seal: ${gauge("tidegauge_unsealed_days")}`)
      return
    }
    await wait(250)
  }
  throw new Error(`Expected all samples to be rolled up after ${rolledUpSecondsMax} s`)
}

/** Computes every bucket of the stores below a folder again, on the same line of Node. */
function verifyAll(line: string, folder: string): void {
  for (const name of readdirSync(folder)) {
    const store = join(folder, name, "data")
    if (!existsSync(store)) continue
    const run = spawnSync(nodeOf(line), [entry, "verify", "--data", store], { encoding: "utf8" })
    const compared = /\d+ values compared, 0 differ/.exec(run.stdout)?.[0]
    if (compared === undefined) throw new Error(`verify: ${run.stdout}${run.stderr}`)
    say(`${name}: ${compared}`)
  }
}

function table(): string {
  const head = ["figure", "unit", ...lines.map((line) => `Node ${line}`), "26 ÷ 20"]
  const rows = [...found].map(([name, byLine]) => {
    const medians = lines.map((line) => median(byLine.get(line) ?? []))
    const ratio = (medians.at(-1)! / medians[0]!).toFixed(2)
    const { title, unit } = figureKinds[name]
    return [title, unit, ...medians.map(shortNumber), ratio]
  })
  return markdownTable(head, rows)
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((left, right) => left - right)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
