/** Entry of `npm run bench`: the parts, then the load, then one report. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import type { Figure } from "./load/figures.ts"
import { measureLoad } from "./load/load.ts"
import { keepRatios, ratioRows, ratiosHead } from "./load/ratios.ts"
import { loadHead, loadRows } from "./load/report.ts"
import { dayMs, type SectionContext } from "./load/section.ts"
import { hasCommand, killServers } from "./load/server.ts"
import { floors, influxDb, type Subject, tidegauge, victoriaMetrics } from "./load/subjects.ts"
import { machineLine } from "./machine.ts"
import { type BenchOptions, parseOptions, usage } from "./options.ts"
import { compareAnswer, renewAnswers } from "./parts/expected.ts"
import { measureParts, type PartFigures } from "./parts/suite.ts"
import { markdownTable, shortNumber } from "./table.ts"

/** A run that takes longer hangs: its servers are killed. The canonical one takes six minutes. */
const runMsMax = 20 * 60_000
const partMs = { small: 20, canonical: 300 } as const

const say = (line: string): void => void process.stderr.write(`${line}\n`)
const partsHead = ["part", "median", "rate", "unit", "answer", "", "note"]

async function main(): Promise<void> {
  if (process.argv.includes("--help")) return void process.stdout.write(`${usage}\n`)
  const options = parseOptions(process.argv.slice(2))
  const report = [
    `Machine: ${machineLine()}`,
    `Size: ${options.size}; ${options.connections} connections`,
  ]
  if (options.withParts) report.push(await partsReport(options))
  if (options.sections.length > 0) report.push(await loadReport(options))
  const text = `${report.join("\n\n")}\n`
  process.stdout.write(text)
  if (options.out === undefined) return
  mkdirSync(dirname(resolve(options.out)), { recursive: true })
  writeFileSync(options.out, text)
}

async function partsReport({ size, renew }: BenchOptions): Promise<string> {
  const onPart = ({ name }: PartFigures) => say(name)
  const figures = await measureParts({ size, timeMs: partMs[size], onPart })
  if (renew) renewAnswers(size, figures)
  const rows = figures.map((part) => {
    const verdict = compareAnswer(size, part)
    if (verdict === "changed") process.exitCode = 1
    const rate = shortNumber(part.itemsPerSecond)
    const median = `${shortNumber(part.medianMs)} ms`
    return [part.name, median, rate, `${part.unit}/s`, part.hash, verdict, part.note]
  })
  return markdownTable(partsHead, rows)
}

async function loadReport(options: BenchOptions): Promise<string> {
  if (process.platform !== "linux") return "The load needs Linux: it reads /proc."
  const cores = availableParallelism()
  const scratch = mkdtempSync(join(options.scratch ?? tmpdir(), "tidegauge-bench-"))
  const cleanUp = () => {
    killServers()
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once("exit", cleanUp)
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))
  const bound = setTimeout(() => {
    say(`Stopped after ${runMsMax / 60_000} minutes`)
    process.exit(1)
  }, runMsMax)
  const midnightMs = Math.floor(Date.now() / dayMs) * dayMs
  const subject = tidegauge(resolve(options.server))
  const peers = [...(options.withPeers ? peersOnPath() : []), ...floors]
  const { size, connections } = options
  const shared = { size, subject, peers, scratch, midnightMs, cores, connections, say }
  const context: SectionContext = { ...shared, nowMs: Date.now }
  const failures: string[] = []
  const figures: Figure[] = await measureLoad(options.sections, context, (name, error) => {
    process.exitCode = 1
    failures.push(`${name} failed: ${(error as Error).message}`)
    say(String((error as Error).stack))
  })
  clearTimeout(bound)
  cleanUp()
  const rows = loadRows(figures, { subject: subject.name, withTargets: size === "canonical" })
  const report = [markdownTable(loadHead, rows), ...failures]
  if (options.keep) keepRatios(figures, subject.name)
  if (options.check) {
    const ratios = ratioRows(figures, subject.name)
    report.push(markdownTable(ratiosHead, ratios))
    if (ratios.some((row) => row.at(-1) === "worse")) process.exitCode = 1
  }
  return report.join("\n\n")
}

function peersOnPath(): Subject[] {
  const found: Subject[] = []
  if (hasCommand("victoria-metrics")) found.push(victoriaMetrics)
  if (hasCommand("influxd")) found.push(influxDb)
  return found
}

main().catch((error: unknown) => {
  say(`bench: ${(error as Error).message}`)
  process.exitCode = 1
})
