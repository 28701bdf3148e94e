/**
 * Kill points: rounds of a child that kills itself at a named point of its background work, while
 * it appends, or at its first start; then the store is opened, compared with the ledger, and handed
 * to the next child.
 */

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { dayMs } from "../../src/model/resolution.ts"
import type { CycleBatch } from "../../src/store/cycle-store.ts"
import { walFiles } from "../../src/store/lmdb/disk/store-files.ts"
import { textKey } from "../../src/store/lmdb/disk/tables.ts"
import { paddedBytes, scanRecords } from "../../src/store/lmdb/wal/segment.ts"
import { readWal } from "../../src/store/lmdb/wal/segment-files.ts"
import { agrees, assertSame } from "../simulation/oracle.ts"
import { Model } from "../simulation/model.ts"
import { appendCollected } from "../simulation/requests.ts"
import { SimStore } from "../simulation/sim-store.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { moveToInbox, tampering } from "../support/store/lmdb-folder.ts"
import { bundleOf } from "../support/project-paths.ts"
import {
  append,
  findSeries,
  seededNumbers,
  seriesName,
  upsertSeries,
} from "../support/ingest/samples.ts"
import type { SeriesName } from "../support/ingest/samples.ts"
import { groupsOf, keyOf, killPoints, nowOf, partsOf, segmentBytes } from "./kill-points-plan.ts"
import type { KillPoint, Round } from "./kill-points-plan.ts"

const nthMax = 3
const roundsPerVerify = 4

interface KillOptions {
  readonly rounds: number
  readonly seed: number
  readonly tell: (line: string) => void
}

/** Throws with the seed if anything was lost, doubled or invented. Gives the points reached. */
export async function killAtPoints(options: KillOptions): Promise<Set<KillPoint>> {
  const random = seededNumbers(options.seed)
  const reached = new Set<KillPoint>()
  let life = new Life()
  try {
    for (let i = 0; i < options.rounds; i++) {
      const point = killPoints[(i + options.seed) % killPoints.length]!
      const isFirstStart = point.startsWith("bootstrap") || point.startsWith("documents")
      if (isFirstStart) {
        life.remove()
        life = new Life()
      }
      const nth = isFirstStart ? 1 : 1 + Math.floor(random() * nthMax)
      const plan = {
        point,
        nth: /^(migration|recovery|rewrite)/.test(point) ? 1 : nth,
        seed: options.seed + i,
      }
      // Whether a child comes to a point three times depends on the seed: once it always does.
      const wasKilled = (await life.round(plan)) || (await life.round({ ...plan, nth: 1 }))
      if (wasKilled) reached.add(point)
      options.tell(`round ${i}: ${point} ${plan.nth} ${wasKilled ? "killed" : "not reached"}`)
    }
  } catch (cause) {
    const where = `seed ${options.seed}, store kept in ${life.folder}`
    throw new Error(`${(cause as Error).message} (${where})`, { cause })
  }
  life.remove()
  return reached
}

/** One store and what it must hold. */
class Life {
  readonly folder = makeFolder("tidegauge-kill")
  private readonly model = new Model()
  private day = 0

  async round(plan: Pick<Round, "point" | "nth" | "seed">): Promise<boolean> {
    const round: Round = { ...plan, folder: this.folder, day: this.day++ }
    if (plan.point.startsWith("migration")) await this.makeOlder()
    const isRewritten = plan.point.startsWith("rewrite")
    // In turns a log that is damaged, and one of an earlier format.
    const isEarlier = isRewritten && this.day % 2 === 0
    const isWaiting = !isEarlier && (isRewritten || plan.point.startsWith("recovery"))
    const waiting = isWaiting ? await this.leaveNames() : null
    const isTorn = isRewritten && !isEarlier
    if (isEarlier) await this.leaveEarlierBatches()
    if (isTorn) this.tearLog()
    const { output, wasKilled } = await runChild(round)
    const told = (word: string): number => output.match(new RegExp(`^${word} `, "gm"))?.length ?? 0
    assert.equal(told("warning"), isTorn ? 1 : 0, output)
    const groups = Object.values(groupsOf(round)).flat()
    for (const group of groups.slice(0, told("acknowledged"))) this.add(group)
    const inFlight = groups.slice(told("acknowledged"), told("sent")).flat()
    if (waiting !== null) await this.checkKnown(waiting)
    await this.check(round, inFlight)
    await this.checkClosed(round, told("closed"))
    return wasKilled
  }

  remove(): void {
    removeFolder(this.folder)
  }

  /** Requests in flight are there as a whole or not at all; then they are sent again. */
  private async check(round: Round, inFlight: Parameters<Model["add"]>[0][]): Promise<void> {
    const store = new SimStore({ folder: this.folder, segmentBytes })
    const asked = { asked: ["ZERO"] as const, latestMs: nowOf(round) + 2 * dayMs }
    const isWithout = agrees(store, this.model, asked)
    this.add(inFlight)
    if (!isWithout) assertSame(store, this.model, asked)
    if (inFlight.length > 0) appendCollected(store.writer, inFlight)
    assertSame(store, this.model, { ...asked, asked: ["PT24H"] })
    if (this.day % roundsPerVerify === 0) await store.verify()
    await store.close()
  }

  /**
   * A part is there with all that it brought, or not at all; closing it again is closing it once.
   */
  private async checkClosed(round: Round, told: number): Promise<void> {
    const store = new SimStore({ folder: this.folder, segmentBytes })
    const { reader, writer } = store
    const parts = partsOf(round)
    const isClosed = ({ cycle, name }: CycleBatch): boolean => reader.isClosed(cycle, name)
    for (const [i, part] of parts.entries()) {
      const { cycle } = part
      const hasDocument = writer.getDocument("closing", String(cycle)) !== undefined
      const hasState = reader.state("closing", keyOf(cycle)) !== undefined
      const hasBand = reader.cycleBands(
        reader.catalogue.partitionOf(0),
        cycle,
        new Float32Array(1024),
      )
      const wants = { hasDocument, hasState, hasBand }
      const all = isClosed(part)
      assert.deepEqual(wants, { hasDocument: all, hasState: all, hasBand: all }, `part ${i}`)
      assert.ok(all || i >= told, `part ${i} was closed`)
      assert.equal(writer.commitCycle(part), !all)
    }
    reader.refresh()
    assert.ok(parts.every(isClosed))
    await store.close()
  }

  private add(group: readonly Parameters<Model["add"]>[0][]): void {
    for (const request of group) this.model.add(request)
  }

  /** As a killed process left it, with names in the WAL; returns one of them. */
  private async leaveNames(): Promise<SeriesName> {
    const of = seriesName("host-1", `waiting-${this.day}`)
    const store = new SimStore({ folder: this.folder, segmentBytes })
    upsertSeries(store.writer.catalogue, of)
    append(store.writer)
    assert.ok(store.writer.hasUnflushedSeries)
    const left = makeFolder("tidegauge-kill")
    cpSync(this.folder, left, { recursive: true })
    await store.remove()
    // The process that left it so is this one, and lives.
    rmSync(join(left, "run.json"))
    renameSync(left, this.folder)
    return of
  }

  /** Unflushed batches in LMDB, as a repair or a backup of an earlier format left them. */
  private async leaveEarlierBatches(): Promise<void> {
    const store = new SimStore({ folder: this.folder, segmentBytes })
    append(store.writer)
    await store.close()
    await moveToInbox(this.folder)
  }

  /** Begins a record behind the newest one, as a power cut leaves it. */
  private tearLog(): void {
    const newest = readWal(this.folder).records.at(-1)!
    for (const name of walFiles(this.folder)) {
      const path = join(this.folder, name)
      const bytes = readFileSync(path)
      for (const { sequence, offset, bytes: length } of scanRecords(bytes)) {
        if (sequence !== newest.sequence) continue
        bytes.write("torn record", offset + paddedBytes(length))
        writeFileSync(path, bytes)
      }
    }
  }

  private async checkKnown(of: SeriesName): Promise<void> {
    const store = new SimStore({ folder: this.folder, segmentBytes })
    assert.ok(findSeries(store.reader.catalogue, of) >= 0, JSON.stringify(of))
    await store.close()
  }

  /** As the version before this one left it. */
  private async makeOlder(): Promise<void> {
    const store = new SimStore({ folder: this.folder, segmentBytes })
    await store.close()
    await tampering(this.folder, ({ meta }) => {
      meta.put(textKey("formatVersion"), Buffer.from("1"))
    })
  }
}

async function runChild(round: Round): Promise<{ output: string; wasKilled: boolean }> {
  const child = bundleOf("test/process/kill-points-child.ts")
  const process_ = spawn(process.execPath, [child, JSON.stringify(round)], {
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  for (const stream of [process_.stdout, process_.stderr]) {
    stream.setEncoding("utf8").on("data", (piece: string) => (output += piece))
  }
  const [status, signal] = (await once(process_, "close")) as [number | null, string | null]
  assert.ok(signal === "SIGKILL" || status === 0, `The child ended with ${status}:\n${output}`)
  return { output, wasKilled: signal === "SIGKILL" }
}
