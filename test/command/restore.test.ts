/** `tidegauge restore`: warnings about backups of a clock that was ahead. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { runList, runRestore, type RestoreDeps } from "../../src/command/store/restore.ts"
import { MemoryVault } from "../support/store/memory-vault.ts"

const nowMs = Date.UTC(2026, 10, 29)
const line = { folder: "store", backup: "vault", vault: new MemoryVault(), name: null }

/** Deps with backups of these days of November 2026, in the order in which they were written. */
function depsOf(days: readonly number[], printed: string[]): RestoreDeps {
  const infos = days.map((day) => ({
    name: `of day ${day}`,
    takenMs: Date.UTC(2026, 10, day),
    bytes: 1,
    formatVersion: 1,
    problem: null,
  }))
  return {
    print: (text) => printed.push(text),
    restoreStore: () => assert.fail("Expected no single backup"),
    restoreFromVault: async () => ({ bytes: 1, name: infos.at(-1)!.name }),
    listBackups: async () => infos,
    verifyStore: () => assert.fail("Expected no check"),
    nowMs: () => nowMs,
  }
}

/** The backups that the output of both commands warns of, with the names that they are after. */
async function warnedOf(days: readonly number[]): Promise<string[]> {
  const [listed, restored]: [string[], string[]] = [[], []]
  assert.equal(await runList(line, depsOf(days, listed)), 0)
  assert.equal(await runRestore(line, depsOf(days, restored)), 0)
  const warnings = listed.slice(1)
  assert.deepEqual(restored.slice(0, -1), warnings)
  return warnings.map((text) => /^Warning: the time of (.*), but it was written/.exec(text)![1]!)
}

test("backups in the order of their times need no warning", async () => {
  assert.deepEqual(await warnedOf([26, 27, 28]), [])
})

test("a backup is warned of whose time is after a later one, or after now", async () => {
  assert.deepEqual(await warnedOf([26, 30, 27]), ["of day 30 is after of day 27"])
  assert.deepEqual(await warnedOf([26, 27, 30]), ["of day 30 is after now"])
})
