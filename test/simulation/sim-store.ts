/**
 * SimStore: the embedded store under a simulated clock, with injected faults of disk and process.
 *
 *   crash    the folder is copied as it is, and another process opens the copy, in which it
 *            finds every name that the writer knew
 *   refuse   the nth moment from now before or after a commit throws, once
 */

import assert from "node:assert/strict"
import { cpSync } from "node:fs"
import { rowStates } from "../../src/cycle/element-states.ts"
import { openReadStore, openWriteStore, verifyStore } from "../../src/store/open.ts"
import { retentionMsDefault } from "../support/reference-store/memory-retention.ts"
import type { RetentionMs } from "../support/reference-store/memory-retention.ts"
import type { ReadStore, FaultHooks, WriteStore } from "../../src/store/store.ts"
import { catalogueContent } from "../contract/store-harness.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { bytesByTenant, recountBytes } from "../support/store/tenant-bytes.ts"

/** Flush, compaction, retention: each may have to wait for the one before it. */
const maintenanceRoundsMax = 3
const stepsMax = 100_000

interface SimOptions extends FaultHooks {
  /** The folder of an existing store; by default a new one is made. */
  readonly folder?: string
  readonly retentionMs?: RetentionMs
}

export class SimStore {
  writer!: WriteStore
  reader!: ReadStore
  /** Monotonic milliseconds. */
  elapsedMs = 0
  readonly warnings: string[] = []
  folder: string
  private refuseIn = Infinity
  private hasRefused = false
  private readonly options: SimOptions

  constructor(options: SimOptions) {
    this.options = options
    this.folder = options.folder ?? makeFolder("tidegauge-simulation")
    this.open()
  }

  refuse(inPoints: number): void {
    this.refuseIn = inPoints
  }

  async crash(): Promise<void> {
    const before = this.folder
    const after = makeFolder("tidegauge-simulation")
    cpSync(before, after, { recursive: true })
    const names = this.names()
    await this.closeBoth()
    removeFolder(before)
    this.folder = after
    this.open()
    this.checkNames(names)
  }

  async reopen(): Promise<void> {
    const names = this.names()
    await this.closeBoth()
    this.open()
    this.checkNames(names)
  }

  /** The names that the writer knows; none after a refusal, when it is unknown what was stored. */
  private names(): unknown {
    const { isBroken, catalogue } = this.writer
    return isBroken || catalogue.hasChanges() ? null : catalogueContent(catalogue)
  }

  private checkNames(names: unknown): void {
    if (names === null) return
    for (const { catalogue } of [this.writer, this.reader]) {
      assert.deepEqual(catalogueContent(catalogue), names, "names after a start")
    }
  }

  /** After a refusal the store is opened again before it is used, as the engine does. */
  async repair(): Promise<void> {
    if (this.hasRefused) await this.reopen()
  }

  /** Background work until nothing is due; what waits for quiet gets it. */
  maintainAll(nowMs: number): void {
    for (let round = 0; round < maintenanceRoundsMax; round++) {
      this.elapsedMs += 3_600_000
      for (let step = 0; step < stepsMax; step++) {
        if (this.writer.isBroken) return
        if (!this.maintain({ nowMs, budgetMs: 1_000, idle: true })) break
      }
    }
  }

  /** One step; true if more is due, or the disk refused. */
  maintain(moment: { nowMs: number; budgetMs: number; idle: boolean }): boolean {
    return this.whileRefusing(() => this.writer.maintain(moment).moreDue) ?? true
  }

  /** The result of `work`, or undefined if it met the disk's refusal. */
  whileRefusing<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (!this.hasRefused) throw error
      return undefined
    }
  }

  /** Closes, has every rollup recomputed and compared, and opens again. */
  async verify(): Promise<void> {
    await this.closeBoth()
    const { problems } = await verifyStore(this.folder)
    assert.deepEqual(problems, [])
    this.open()
  }

  async close(): Promise<void> {
    await this.closeBoth()
  }

  async remove(): Promise<void> {
    await this.closeBoth()
    removeFolder(this.folder)
  }

  private open(): void {
    const { folder } = this
    this.refuseIn = Infinity
    this.hasRefused = false
    this.writer = openWriteStore({
      folder,
      retentionMs: this.options.retentionMs ?? retentionMsDefault,
      rowStates,
      cycleGraceMs: 60_000,
      elapsedMs: () => this.elapsedMs,
      warn: (_, message) => void this.warnings.push(message),
      faults: { ...this.options, onPoint: (name) => this.onPoint(name) },
    })
    this.reader = openReadStore({ folder })
  }

  private onPoint(name: string): void {
    this.options.onPoint?.(name)
    if (this.refuseIn-- > 0) return
    this.refuseIn = Infinity
    this.hasRefused = true
    throw Object.assign(new Error("the simulated disk refuses"), { code: "EIO" })
  }

  /** Bytes of tenants must be those of the records, whatever happened. */
  private async closeBoth(): Promise<void> {
    const { isBroken } = this.writer
    const { tenantBytes } = this.writer.figures()
    await this.reader.close()
    await this.writer.close()
    if (isBroken) return
    assert.deepEqual(
      bytesByTenant(tenantBytes),
      await recountBytes(this.folder),
      "bytes of tenants",
    )
  }
}
