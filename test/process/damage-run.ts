/**
 * Damage run: two stores of every kind of record, one of them of an earlier format, of which copies
 * are damaged in turns; each is opened in a child.
 *
 *   flip a bit, or cut the file ─► refused, with a reason ─► repaired ─► opens, verifies, no value
 *          │                                                              that was never sent
 *          └─► opened: every answer as before, or an error that reports the damage
 */

import assert from "node:assert/strict"
import { fork, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import {
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { dayMs, hourMs } from "../../src/model/resolution.ts"
import { readWal } from "../../src/store/lmdb/wal/segment-files.ts"
import { verifyStore } from "../../src/store/open.ts"
import { maintainFully } from "../contract/store-driver.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { moveToInbox, openWriter, tinySegments, writing } from "../support/store/lmdb-folder.ts"
import { bundleOf } from "../support/project-paths.ts"
import {
  append,
  noonMs,
  plain,
  seededNumbers,
  seriesName,
  steadyRequests,
} from "../support/ingest/samples.ts"
import { structuralOffsets } from "./damage-offsets.ts"
import type { ChildResponse, ChildRequest } from "./damage-protocol.ts"

interface DamageOptions {
  readonly count: number
  readonly seed: number
  readonly tell: (line: string) => void
}

export interface DamageFigures {
  refused: number
  unharmed: number
  told: number
  repaired: number
}

/** Two hundred times what an answer takes: a child that says nothing for so long never will. */
const answerMsMax = 30_000

/** Throws if a damaged store gave a wrong answer, or ended the process that opened it. */
export async function damageRun(options: DamageOptions): Promise<DamageFigures> {
  const run = new Run(options)
  try {
    await run.prepare()
    for (let round = 0; round < options.count; round++) await run.round(round)
    return run.figures
  } finally {
    run.end()
  }
}

interface Whole {
  readonly folder: string
  /** The answers of the whole store. */
  readonly before: readonly string[]
  readonly values: ReadonlySet<string>
  /** Structural offsets in `data.mdb`; null before they are needed. */
  places: readonly number[] | null
}

class Run {
  readonly figures: DamageFigures = { refused: 0, unharmed: 0, told: 0, repaired: 0 }
  private readonly options: DamageOptions
  private readonly wholes: Whole[] = []
  private readonly damaged = makeFolder("tidegauge-damaged")
  private readonly random: () => number
  private child: ChildProcess | null = null
  /** The store of which this round damages a copy. */
  private whole!: Whole

  constructor(options: DamageOptions) {
    this.options = options
    this.random = seededNumbers(options.seed)
  }

  async prepare(): Promise<void> {
    for (const isEarlier of [false, true]) {
      const folder = makeFolder("tidegauge-whole")
      await fillStore(folder, isEarlier)
      rmSync(this.damaged, { recursive: true })
      cpSync(folder, this.damaged, { recursive: true })
      const answer = await this.ask(false)
      assert.ok(answer.kind === "opened", JSON.stringify(answer))
      assert.deepEqual(answer.warnings, [])
      const values = new Set(answer.answers.flatMap(samplesOf))
      assert.ok(values.size > 500, `${values.size} values`)
      this.wholes.push({ folder, before: answer.answers, values, places: null })
    }
  }

  async round(round: number): Promise<void> {
    this.whole = this.wholes[round % this.wholes.length]!
    rmSync(this.damaged, { recursive: true })
    cpSync(this.whole.folder, this.damaged, { recursive: true })
    const what = `round ${round}, seed ${this.options.seed}: ${this.damage()}`
    const answer = await this.ask(false, what)
    assert.notEqual(answer.kind, "failed", `${what}: ${JSON.stringify(answer)}`)
    if (answer.kind === "opened") this.judge(answer.answers, answer.warnings, what)
    else await this.repair(answer.problems, what)
  }

  end(): void {
    this.child?.kill("SIGKILL")
    for (const { folder } of this.wholes) removeFolder(folder)
    removeFolder(this.damaged)
  }

  /** Damages one file; says how. */
  private damage(): string {
    const files = readdirSync(this.damaged).filter((name) => /^data\.mdb$|^journal-/.test(name))
    // Most of all the file that LMDB maps.
    const name = this.random() < 0.8 ? "data.mdb" : files[this.below(files.length)]!
    const path = join(this.damaged, name)
    const { size } = statSync(path)
    const used = name === "data.mdb" ? size : Math.min(size, 4096)
    if (this.random() < 0.15) {
      const length = this.below(used)
      truncateSync(path, length)
      return `${name} cut to ${length} bytes`
    }
    const bytes = readFileSync(path)
    const at = name === "data.mdb" ? this.placeIn(bytes) : this.below(used)
    const bit = this.below(8)
    bytes[at]! ^= 1 << bit
    writeFileSync(path, bytes)
    return `${name} byte ${at} bit ${bit}`
  }

  /** Anywhere, but as often in what LMDB finds its way by as in values, of which there is more. */
  private placeIn(bytes: Buffer): number {
    if (this.random() < 0.5) return this.below(bytes.length)
    const places = (this.whole.places ??= structuralOffsets(bytes))
    return places[this.below(places.length)]!
  }

  private below(end: number): number {
    return Math.floor(this.random() * end)
  }

  /** Opened: as before, or reported. */
  private judge(answers: readonly string[], warnings: readonly string[], what: string): void {
    let isTold = warnings.length > 0
    // Data that the start cut off is reported; all that is left was sent.
    if (isTold) assert.deepEqual(this.strangersOf(answers), [], what)
    else {
      const { before } = this.whole
      assert.equal(answers.length, before.length, what)
      for (const [i, text] of answers.entries()) {
        if (text === before[i]) continue
        assert.ok(
          text.includes("storage: The store is damaged"),
          `${what}: ${differenceOf(text, before[i]!)}`,
        )
        isTold = true
      }
    }
    this.figures[isTold ? "told" : "unharmed"]++
  }

  private async repair(problems: readonly string[], what: string): Promise<void> {
    this.figures.refused++
    assert.ok(problems.length > 0, what)
    const answer = await this.ask(true, what)
    if (answer.kind !== "opened") {
      // Both meta pages damaged, or nearly all of the file, or a greater number of the format: a
      // backup is the way out.
      const lost = /Nothing can be read|run the newer program/
      assert.match(answer.problems.join(), lost, `${what}: ${answer.problems[0]}`)
      return
    }
    assert.deepEqual(this.strangersOf(answer.answers), [], what)
    const found = new Set(answer.answers.flatMap(samplesOf))
    // Damaged records of the WAL are reported by the start.
    const isTold = answer.lost.length + answer.warnings.length > 0
    assert.ok(isTold || found.size === this.whole.values.size, `${what}: lost without a word`)
    const { problems: left } = await verifyStore(this.damaged)
    assert.deepEqual(left, [], `${what}: ${answer.done.join("\n")}`)
    this.figures.repaired++
  }

  /** Samples that were never sent; series of lost elements have new names, but known values. */
  private strangersOf(answers: readonly string[]): string[] {
    return answers
      .flatMap(samplesOf)
      .filter((sample) => !this.whole.values.has(sample))
      .slice(0, 5)
  }

  private async ask(isRepaired: boolean, what = "whole store"): Promise<ChildResponse> {
    if (this.child === null) {
      this.child = fork(bundleOf("test/process/damage-child.ts"), { execArgv: [] })
    }
    const { child } = this
    const question: ChildRequest = { folder: this.damaged, isRepaired }
    child.send(question)
    // A damaged store that is read without an end is as bad as one that ends the process.
    let isSilent = false
    const silence = setTimeout(() => {
      isSilent = true
      child.kill("SIGKILL")
    }, answerMsMax)
    const died = once(child, "exit").then(([status, signal]) => {
      const how = isSilent ? `said nothing for ${answerMsMax} ms` : `ended by ${signal ?? status}`
      throw new Error(`${what}: the child ${how}`)
    })
    try {
      const [answer] = (await Promise.race([once(child, "message"), died])) as [ChildResponse]
      return answer
    } finally {
      clearTimeout(silence)
      child.removeAllListeners()
    }
  }
}

/** Where two texts begin to differ. */
function differenceOf(left: string, right: string): string {
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  const part = (text: string): string => text.slice(Math.max(0, at - 60), at + 60)
  return `${left.slice(0, 30)} … ${part(left)} ≠ ${part(right)}`
}

/** The raw samples of an answer, as texts of time and fields. */
function samplesOf(answer: string): string[] {
  const [, json] = / ZERO (\[.*\])$/.exec(answer) ?? []
  if (json === undefined) return []
  return (JSON.parse(json) as unknown[]).map((sample) => JSON.stringify(sample))
}

/**
 * Compacted days, recent days, a rewritten log, records in segments of their own, names in the WAL,
 * documents, freed pages; as a killed process left it. In a store of an earlier format the batches
 * of the rewritten log are in LMDB.
 */
async function fillStore(folder: string, isEarlier: boolean): Promise<void> {
  const alive = makeFolder("tidegauge-alive")
  const of = Array.from({ length: 12 }, (_, i) => seriesName(`host-${i % 4}`, `metric-${i % 3}`))
  await writing(alive, (writer) => {
    writer.putDocuments(
      Array.from({ length: 20 }, (_, i) => {
        return { kind: "kind", id: `id-${i}`, document: { text: "x".repeat(50 * i) } }
      }),
    )
    for (let part = 0; part < 3; part++) {
      const fromMs = noonMs - 3 * dayMs + part * 2 * hourMs
      append(writer, ...steadyRequests({ of, fromMs, toMs: fromMs + hourMs, stepMs: 60_000 }))
      maintainFully(writer, noonMs)
    }
    const fromMs = noonMs - 2 * hourMs
    append(writer, ...steadyRequests({ of, fromMs, toMs: noonMs - hourMs, stepMs: 60_000 }))
    maintainFully(writer, noonMs)
    for (let i = 0; i < 20; i++) {
      append(writer, [plain(noonMs + i * 1000, i, of[i % of.length])])
    }
  })
  const second = openWriter(alive)
  append(second, [plain(noonMs, 1, seriesName("late", "metric-1"))])
  await second.close()
  const rewrittenUpTo = readWal(alive).records.at(-1)!.sequence
  // The next start moves them to a log of their own.
  await moveToInbox(alive)
  const third = openWriter(alive, [], tinySegments)
  append(third, [plain(noonMs + 1, 2, seriesName("late", "metric-1"))])
  await third.close()
  await writing(alive, (writer) => {
    for (const [i, metric] of ["metric-9", "metric-0", "metric-2"].entries()) {
      append(writer, [plain(noonMs + i, i + 0.5, seriesName("late", metric))])
    }
    cpSync(alive, folder, { recursive: true })
  })
  removeFolder(alive)
  // The process that left it so is this one, and lives.
  rmSync(join(folder, "run.json"))
  if (isEarlier) await moveToInbox(folder, rewrittenUpTo)
}
