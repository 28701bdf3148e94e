/**
 * The same loads on several variants of the server in turn: lines of Node, or two builds. Each
 * round begins with another variant, so that none is always first; each figure is the median of the
 * rounds. After each load all samples must be rolled up, and `verify` computes every bucket again.
 */

import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { figureKinds, type FigureName } from "./load/figures.ts"
import { measureLoad, sections, type SectionName } from "./load/load.ts"
import { connectionsDefault, dayMs, type SectionContext } from "./load/section.ts"
import { killServers } from "./load/server.ts"
import { type Launch, type Subject, tidegauge } from "./load/subjects.ts"
import { machineLine } from "./machine.ts"
import { markdownTable, shortNumber } from "./table.ts"

export interface Variant {
  readonly name: string
  /** The binary that runs it. */
  readonly node: string
  /** Its `main.js`. */
  readonly entry: string
  readonly environment?: Readonly<Record<string, string>>
}

interface RoundsOptions {
  /** The last one is divided by the first one in the table. */
  readonly variants: readonly Variant[]
  readonly rounds: number
  readonly size: "small" | "canonical"
  readonly only: readonly SectionName[]
}

const rolledUpSecondsMax = 60
/** Read before the client is pinned to one of them: afterwards there is one. */
const cores = availableParallelism()

type FigureValues = Map<FigureName, Map<string, number[]>>

/** Measures and prints a table, with the machine. Throws if a load or `verify` fails. */
export async function compareVariants(options: RoundsOptions): Promise<void> {
  const { variants, rounds, only } = options
  // Before the client is pinned to one core.
  const machine = machineLine()
  const scratch = mkdtempSync(join(tmpdir(), "tidegauge-rounds-"))
  process.once("exit", () => {
    killServers()
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  })
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))

  const values: FigureValues = new Map()
  for (let round = 0; round < rounds; round++) {
    const turned = variants.map((_, i) => variants[(i + round) % variants.length]!)
    for (const section of only) {
      for (const variant of turned) {
        say(`round ${round + 1}: ${section} on ${variant.name}`)
        const folder = mkdtempSync(join(scratch, `${section}-`))
        await measureOne(section, variant, folder, options.size, values)
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      }
    }
  }
  process.stdout.write(`Machine: ${machine}\n\n${table(variants, values)}\n`)
}

/** Names of sections between commas; throws for an unknown one. */
export function sectionNames(text: string): SectionName[] {
  return text.split(",").map((name) => {
    if (!(name in sections)) throw new Error(`Expected a section of the load, got ${name}`)
    return name as SectionName
  })
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

async function measureOne(
  section: SectionName,
  variant: Variant,
  folder: string,
  size: RoundsOptions["size"],
  values: FigureValues,
): Promise<void> {
  const context = contextOf(tidegauge(variant.entry, variant), size, folder)
  const figures = await measureLoad([section], context, (_, error) => {
    throw error
  })
  verifyAll(variant, folder)
  for (const { name, value } of figures) {
    const byVariant = values.get(name) ?? new Map<string, number[]>()
    values.set(name, byVariant)
    byVariant.set(variant.name, [...(byVariant.get(variant.name) ?? []), value])
  }
}

/** A load of one build and no other, whose samples must all be rolled up in the end. */
export function contextOf(
  subject: Subject,
  size: RoundsOptions["size"],
  scratch: string,
): SectionContext {
  return {
    size,
    subject: { ...subject, check: allIsRolledUp },
    peers: [],
    scratch,
    midnightMs: Math.floor(Date.now() / dayMs) * dayMs,
    nowMs: Date.now,
    cores,
    connections: connectionsDefault,
    say: () => {},
  }
}

/**
 * Resolves when no sample waits for its rollup. The number of days that wait for their compaction
 * is printed: one that had samples after its compaction is compacted again ten minutes later.
 */
export async function allIsRolledUp({ readyUrl }: Launch): Promise<void> {
  const untilMs = performance.now() + rolledUpSecondsMax * 1000
  while (performance.now() < untilMs) {
    const text = await (await fetch(new URL("/metrics/internal", readyUrl))).text()
    const gauge = (names: string) =>
      new RegExp(`^tidegauge_(?:${names}) (\\S+)$`, "m").exec(text)?.[1]
    // An older build has the first of two names.
    if (gauge("open_samples|unflushed_samples") === "0") {
      say(`all is rolled up; days to compact: ${gauge("unsealed_days|uncompacted_days")}`)
      return
    }
    await wait(250)
  }
  throw new Error(`Expected all samples to be rolled up after ${rolledUpSecondsMax} s`)
}

/** Computes every bucket of the stores below a folder again, with the same variant. */
function verifyAll({ node, entry }: Variant, folder: string): void {
  for (const name of readdirSync(folder)) {
    const store = join(folder, name, "data")
    if (!existsSync(store)) continue
    const run = spawnSync(node, [entry, "verify", "--data", store], { encoding: "utf8" })
    const compared = /\d+ values compared, 0 differ/.exec(run.stdout)?.[0]
    if (compared === undefined) throw new Error(`verify: ${run.stdout}${run.stderr}`)
    say(`${name}: ${compared}`)
  }
}

function table(variants: readonly Variant[], values: FigureValues): string {
  const names = variants.map(({ name }) => name)
  const head = ["figure", "unit", ...names, `${names.at(-1)} ÷ ${names[0]}`]
  const rows = [...values].map(([figure, byVariant]) => {
    const medians = names.map((name) => median(byVariant.get(name) ?? []))
    const ratio = (medians.at(-1)! / medians[0]!).toFixed(3)
    const { title, unit } = figureKinds[figure]
    return [title, unit, ...medians.map(shortNumber), ratio]
  })
  return markdownTable(head, rows)
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((left, right) => left - right)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}
