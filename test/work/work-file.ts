/**
 * Counts of work that are kept in files of this folder: exact, without a clock. A change that does
 * more or less work changes the file, and its commit says why. `npm run work` writes them again.
 */

import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rootFolder } from "../support/project-paths.ts"

/** Set by `npm run work`. */
const isRenewed = process.env["TIDEGAUGE_RENEW_WORK"] !== undefined

/** Counts by the name of the work; one line each in the file. */
export type Work = Readonly<Record<string, string>>

/** Throws unless the file has the same counts. */
export function assertWork(file: string, work: Work): void {
  const path = join(rootFolder, "test/work", file)
  if (isRenewed) writeFileSync(path, `${JSON.stringify(work, null, 2)}\n`)
  const expected = JSON.parse(readFileSync(path, "utf8")) as Work
  assert.deepEqual(work, expected, `If that is meant: npm run work, and the reason in the commit`)
}

/** Counts by name, as a line: `rows 12, columns 3`. */
export class Counts {
  private readonly counts = new Map<string, number>()

  add(name: string, count = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + count)
  }

  /** The line of all counts in the order of their names; they begin again at 0. */
  take(): string {
    const sorted = [...this.counts].sort(([a], [b]) => (a < b ? -1 : 1))
    this.counts.clear()
    return sorted.map(([name, count]) => `${name} ${count}`).join(", ") || "none"
  }
}
