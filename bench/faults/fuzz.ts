/**
 * A long fuzz run: `node --import tsx bench/faults/fuzz.ts [seconds] [seed] [corpus folder]`.
 *
 * Guided by coverage: a case that makes code run which never ran is kept, in memory and in the
 * corpus folder, and mutated further. Coverage is V8's own: the ready fuzzer,
 * `@jazzer.js/core`, brings a native part that needs a newer glibc than we may ask for.
 */

import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { RandomChoices } from "../../test/abuse/random-choices.ts"
import { tryCase } from "../../test/abuse/fuzz-run.ts"
import { mutate } from "../../test/abuse/mutate.ts"
import { leastMs, plainBodiesIn, plainBodiesMax, slowShapes } from "../../test/abuse/shapes.ts"
import { allTargets } from "../../test/abuse/targets.ts"
import type { Target } from "../../test/abuse/targets.ts"
import { Reading } from "../../test/ingest/reading.ts"
import { Coverage } from "./fuzz-coverage.ts"

/** Reading the coverage takes milliseconds, so one reading serves this number of cases. */
const casesPerLook = 300
const tellMs = 5_000

const [secondsText = "60", seedText, folder = "scratch/fuzz-corpus"] = process.argv.slice(2)
const seed = Number(seedText ?? Date.now()) >>> 0
const elapsedMs = () => performance.now()
const untilMs = elapsedMs() + Number(secondsText) * 1000

function load(target: Target): Buffer[] {
  const kept = join(folder, target.name)
  mkdirSync(kept, { recursive: true })
  const found = existsSync(kept) ? readdirSync(kept).sort() : []
  return [...target.corpus, ...found.map((name) => readFileSync(join(kept, name)))]
}

function keep(target: Target, pool: Buffer[], bytes: Buffer): void {
  pool.push(bytes)
  const name = createHash("sha256").update(bytes).digest("hex").slice(0, 16)
  writeFileSync(join(folder, target.name, name), bytes)
}

interface Case {
  readonly target: Target
  readonly bytes: Buffer
}

/** Throws if a body of 100 kB takes as long as too many plain ones. */
function judgeSlowShapes(): void {
  for (const [name, body] of Object.entries(slowShapes)) {
    const bytes = Buffer.from(body)
    const plainBodies = plainBodiesIn(leastMs(() => void new Reading().read(bytes)))
    if (plainBodies > plainBodiesMax) throw new Error(`${name} took ${plainBodies} plain bodies`)
  }
}

async function run(): Promise<void> {
  judgeSlowShapes()
  const dice = new RandomChoices(seed)
  const options = { seed, elapsedMs }
  const targets = allTargets()
  const pools = new Map(targets.map((target) => [target, load(target)]))
  const coverage = new Coverage()
  const give = ({ target, bytes }: Case) => tryCase(target, bytes, { dice, options })
  for (const [target, pool] of pools) for (const bytes of pool) await give({ target, bytes })
  coverage.note()

  let cases = 0
  let toldMs = elapsedMs()
  while (elapsedMs() < untilMs) {
    const batch: Case[] = []
    for (let i = 0; i < casesPerLook; i++) {
      const target = dice.of(targets)
      const pool = pools.get(target)!
      batch.push({ target, bytes: mutate(dice.of(pool), dice, pool) })
    }
    for (const one of batch) await give(one)
    cases += batch.length
    if (coverage.isNew()) await findTheNew(batch, { give, coverage, pools })
    if (elapsedMs() - toldMs > tellMs) {
      toldMs = elapsedMs()
      console.log(`${cases} cases, ${coverage.size} blocks, ${kept(pools)} in the corpus`)
    }
  }
  console.log(`${cases} cases, ${coverage.size} blocks, ${kept(pools)} in the corpus, no fault`)
  coverage.end()
}

interface Finding {
  readonly give: (one: Case) => Promise<unknown>
  readonly coverage: Coverage
  readonly pools: Map<Target, Buffer[]>
}

/** Halves a batch that brought something new, until single cases are left; keeps those. */
async function findTheNew(batch: readonly Case[], finding: Finding): Promise<void> {
  const { give, coverage, pools } = finding
  for (const one of batch) await give(one)
  if (!coverage.isNew()) return
  if (batch.length > 1) {
    const half = batch.length >> 1
    await findTheNew(batch.slice(0, half), finding)
    await findTheNew(batch.slice(half), finding)
    return
  }
  const [{ target, bytes }] = batch as [Case]
  await give({ target, bytes })
  coverage.note()
  keep(target, pools.get(target)!, bytes)
}

function kept(pools: Map<Target, Buffer[]>): number {
  return [...pools.values()].reduce((sum, pool) => sum + pool.length, 0)
}

console.log(`seed ${seed}, ${secondsText} s`)
await run()
