/**
 * Backup run: backups of a store during writes; each is restored, read and written to.
 *
 *   numbers, a batch each, and flushes ─► backup during more of both ─► restore ─► all numbers up
 *                                                                      to one moment, no more
 *
 * The first thousand are one batch, so that every backup holds values in overflow pages.
 */

import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { cycleMs, dayMs } from "../../../src/model/resolution.ts"
import {
  backupStore,
  needsScan,
  scanStore,
  restoreStore,
  verifyStore,
} from "../../../src/store/open.ts"
import type { CycleBatch } from "../../../src/store/cycle-store.ts"
import { emptyCycleBatch } from "../../support/store/empty-cycle-batch.ts"
import type { WriteStore } from "../../../src/store/store.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { makeFolder, removeFolder } from "../../support/machine/folder.ts"
import { openWriter, reading, writing } from "../../support/store/lmdb-folder.ts"
import { append, noonMs, plain, seededNumbers, seriesName } from "../../support/ingest/samples.ts"

const backups = 6
const firstNumbers = 1000
const stepsBetween = 150
const span = { startMs: noonMs - dayMs, endMs: noonMs + 10 * dayMs }

/** Numbers that were stored when a backup began and when it ended. */
export interface Moment {
  readonly before: number
  readonly after: number
}

/** Throws if a backup is refused, or is not the store of one moment at or after its start. */
export async function backupRun(seed: number): Promise<Moment[]> {
  const folder = makeFolder("tidegauge-backed-up")
  const kept = makeFolder("tidegauge-backups")
  try {
    const moments = await takeBackups(folder, kept, seed)
    for (const [i, moment] of moments.entries()) {
      await checkBackup(join(kept, `${i}`), join(kept, `restored-${i}`), moment)
    }
    assert.equal(existsSync(join(folder, "journal-hold")), false)
    return moments
  } finally {
    removeFolder(folder)
    removeFolder(kept)
  }
}

async function takeBackups(folder: string, kept: string, seed: number): Promise<Moment[]> {
  const writer = openWriter(folder)
  try {
    const load = counting(writer, seed)
    const moments: Moment[] = []
    for (let i = 0; i < backups; i++) {
      for (let step = 0; step < stepsBetween; step++) load.step()
      const before = load.stored()
      await beside(backupStore(folder, join(kept, `${i}`), Date.now), load.step)
      moments.push({ before, after: load.stored() })
    }
    return moments
  } finally {
    await writer.close()
  }
}

async function checkBackup(backup: string, restored: string, moment: Moment): Promise<void> {
  restoreStore(backup, restored)
  assert.equal(needsScan(restored), false)
  const values = await valuesOf(restored)
  const isInTime = values.length >= moment.before && values.length <= moment.after
  assert.ok(isInTime, `${values.length} samples, ${JSON.stringify(moment)}`)
  const expected = Array.from({ length: values.length }, (_, i) => i)
  assert.deepEqual(values, expected, "Expected all samples up to one moment")
  assert.deepEqual((await verifyStore(restored)).problems, [])
  await writing(restored, (again) => maintainFully(again, noonMs + 3 * dayMs))
  assert.deepEqual(scanStore(restored), [])
  assert.deepEqual(await valuesOf(restored), values)
  assert.deepEqual((await verifyStore(restored)).problems, [])
}

/** A writer that stores the numbers from 0 on, a batch each; sometimes with a new series. */
export function counting(writer: WriteStore, seed: number, first = firstNumbers) {
  const random = seededNumbers(seed)
  let next = 0
  const number = (element: string) => {
    return plain(noonMs + next * 100, next++, seriesName(element, "m"))
  }
  if (first > 0)
    append(
      writer,
      Array.from({ length: first }, () => number("host")),
    )
  return {
    stored: () => next,
    step(): void {
      append(writer, [number(random() < 0.1 ? `host-${next}` : "host")])
      if (random() < 0.05)
        writer.catalogue.upsertElement(0, "host", { location: `${next}`, nowMs: 0 })
      // Series that are not in the WAL, between those that are.
      if (random() < 0.03) writer.commitCycle(closingOf(next))
      // Flushes start, run and end during the backup.
      const budgetMs = 0
      const clockMs = noonMs + next * 100 + cycleMs
      if (random() < 0.5) writer.maintain({ nowMs: clockMs + 60_000, budgetMs, idle: true })
    },
  }
}

/** A batch with a new computed metric. */
function closingOf(number: number): CycleBatch {
  const computed = {
    elements: Int32Array.of(0),
    fqns: [`computed-${number}`],
    actuals: Float64Array.of(number),
  }
  return { ...emptyCycleBatch, cycle: noonMs / cycleMs - 100, name: `${number}`, computed }
}

/** Calls `step` until the work has ended; rejects with its error. */
export async function beside(work: Promise<unknown>, step: () => void): Promise<void> {
  let isDone = false
  const end = (): void => void (isDone = true)
  work.then(end, end)
  while (!isDone) {
    step()
    await new Promise(setImmediate)
  }
  await work
}

/** Returns all values of a store, including unflushed ones, ascending. */
export async function valuesOf(folder: string): Promise<number[]> {
  const writer = openWriter(folder)
  try {
    return await reading(folder, (reader) => {
      const all = Array.from({ length: reader.catalogue.seriesCount }, (_, series) => {
        const open = writer.unflushedSamples(Int32Array.of(series), span)
        const records = reader.samples(
          Int32Array.of(series),
          { span, resolution: "ZERO" },
          open,
        )[0]!
        return records.map(({ fields }) => fields.val!)
      })
      return all.flat().sort((left, right) => left - right)
    })
  } finally {
    await writer.close()
  }
}
