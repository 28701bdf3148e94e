/**
 * Damage run: a store of every kind of record, of which a copy is damaged again and again; each is
 * opened in a child.
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
import { verifyStore } from "../../src/store/open.ts"
import { maintainFully } from "../contract/store-harness.ts"
import { makeFolder, removeFolder } from "../support/folder.ts"
import { moveToInbox, openWriter, tinySegments, writing } from "../support/lmdb-folder.ts"
import { bundleOf } from "../support/project-paths.ts"
import {
  append,
  noonMs,
  plain,
  seededNumbers,
  seriesName,
  steadyRequests,
} from "../support/samples.ts"
import { structuralOffsets } from "./damage-offsets.ts"
import type { ChildResponse, ChildRequest } from "./damage-protocol.ts"

export interface DamageOptions {
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

class Run {
  readonly figures: DamageFigures = { refused: 0, unharmed: 0, told: 0, repaired: 0 }
  private readonly options: DamageOptions
  private readonly whole = makeFolder("tidegauge-whole")
  private readonly damaged = makeFolder("tidegauge-damaged")
  private readonly random: () => number
  private child: ChildProcess | null = null
  private before: readonly string[] = []
  private values = new Set<string>()
  private places: readonly number[] | null = null

  constructor(options: DamageOptions) {
    this.options = options
    this.random = seededNumbers(options.seed)
  }

  async prepare(): Promise<void> {
    await fillStore(this.whole)
    cpSync(this.whole, this.damaged, { recursive: true })
    const answer = await this.ask(false)
    assert.ok(answer.kind === "opened", JSON.stringify(answer))
    this.before = answer.answers
    this.values = new Set(answer.answers.flatMap(samplesOf))
    assert.ok(this.values.size > 500, `${this.values.size} values`)
  }

  async round(round: number): Promise<void> {
    rmSync(this.damaged, { recursive: true })
    cpSync(this.whole, this.damaged, { recursive: true })
    const what = `round ${round}, seed ${this.options.seed}: ${this.damage()}`
    const answer = await this.ask(false, what)
    assert.notEqual(answer.kind, "failed", `${what}: ${JSON.stringify(answer)}`)
    if (answer.kind === "opened") this.judge(answer.answers, answer.warnings, what)
    else await this.repair(answer.problems, what)
  }

  end(): void {
    this.child?.kill("SIGKILL")
    removeFolder(this.whole)
    removeFolder(this.damaged)
  }

  /** Damages one file; says how. */
  private damage(): string {
    const files = readdirSync(this.damaged).filter((name) => /^data\.mdb$|^journal-/.test(name))
    // Most of all the file that LMDB maps.
    const name = this.random() < 0.8 ? "data.mdb" : files[this.below(files.length)]!
    const path = join(this.damaged, name)
    const { size } = statSync(path)
    const used = name === "data.mdb" ? size : 4096
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
    this.places ??= structuralOffsets(bytes)
    return this.places[this.below(this.places.length)]!
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
      assert.equal(answers.length, this.before.length, what)
      for (const [i, text] of answers.entries()) {
        if (text === this.before[i]) continue
        assert.ok(
          text.includes("storage: The store is damaged"),
          `${what}: ${differenceOf(text, this.before[i]!)}`,
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
    assert.ok(isTold || found.size === this.values.size, `${what}: lost without a word`)
    const { problems: left } = await verifyStore(this.damaged)
    assert.deepEqual(left, [], `${what}: ${answer.done.join("\n")}`)
    this.figures.repaired++
  }

  /** Samples that were never sent; series of lost elements have new names, but known values. */
  private strangersOf(answers: readonly string[]): string[] {
    return answers
      .flatMap(samplesOf)
      .filter((sample) => !this.values.has(sample))
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
 * Compacted days, recent days, records in overflow table and WAL, names in the WAL, documents,
 * freed pages; as a killed process left it.
 */
async function fillStore(folder: string): Promise<void> {
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
}
