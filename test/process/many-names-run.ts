/**
 * Repair of a store whose list of names is too long for the arguments of a call: a block of samples
 * for each name, bits flipped in all parts of the file, repaired, opened.
 *
 *   flipped bits ─► repair ─► verify finds nothing ─► opens, as many names as before
 */

import assert from "node:assert/strict"
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { repairStore } from "../../src/store/open.ts"
import { hourMs } from "../../src/model/resolution.ts"
import { pageBytesOf } from "../../src/store/lmdb/integrity/page-file.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { reading, writing } from "../support/store/lmdb-folder.ts"
import { append, noonMs, plain, seededNumbers, seriesName } from "../support/ingest/samples.ts"

interface ManyNamesOptions {
  readonly names: number
  readonly seed: number
  readonly tell: (line: string) => void
}

const namesPerElement = 1000

/** Throws if a repair fails or leaves anything wrong. */
export async function manyNamesRun({ names, seed, tell }: ManyNamesOptions): Promise<void> {
  const whole = makeFolder("tidegauge-many-names")
  try {
    await fill(whole, names)
    const random = seededNumbers(seed)
    const { size } = statSync(join(whole, "data.mdb"))
    tell(`${names} names, ${size} bytes`)
    for (const flips of [1, 20, 400]) {
      await round({ whole, names, flips, random }, tell)
    }
  } finally {
    removeFolder(whole)
  }
}

async function fill(folder: string, names: number): Promise<void> {
  await writing(folder, (writer) => {
    for (let first = 0; first < names; first += namesPerElement) {
      const element = `host-${first / namesPerElement}`
      append(
        writer,
        Array.from({ length: Math.min(namesPerElement, names - first) }, (_, i) =>
          plain(noonMs, i, seriesName(element, `metric-${first + i}`)),
        ),
      )
    }
    // A block for each name, so that there are more steps than in other tests.
    const moment = { nowMs: noonMs + hourMs, budgetMs: 1_000, idle: true }
    while (writer.maintain(moment).moreDue);
  })
}

function flip(path: string, flips: number, random: () => number): void {
  const bytes = readFileSync(path)
  // Behind the heads, without which nothing can be read.
  const start = 2 * pageBytesOf(bytes)
  for (let i = 0; i < flips; i++) {
    const at = start + Math.floor(random() * (bytes.length - start))
    bytes[at]! ^= 1 << Math.floor(random() * 8)
  }
  writeFileSync(path, bytes)
}

async function round(
  of: { whole: string; names: number; flips: number; random: () => number },
  tell: (line: string) => void,
): Promise<void> {
  const folder = makeFolder("tidegauge-many-names-damaged")
  try {
    rmSync(folder, { recursive: true })
    cpSync(of.whole, folder, { recursive: true })
    flip(join(folder, "data.mdb"), of.flips, of.random)
    const startedMs = performance.now()
    const { done, problems } = await repairStore(folder, noonMs)
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    assert.deepEqual(problems.slice(0, 5), [])
    await reading(folder, ({ catalogue }) => {
      tell(`${of.flips} flips: ${done.length} lines in ${seconds} s, ${catalogue.nameCount} names`)
      assert.ok(catalogue.nameCount >= of.names * 0.9)
    })
  } finally {
    removeFolder(folder)
  }
}
