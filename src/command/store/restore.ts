/** `tidegauge restore`: lists, checks and restores backups of a folder or a bucket. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { formatInstant } from "../../base/iso8601.ts"
import type { BackupInfo, BackupVault } from "../../store/backup-vault.ts"
import type { BackupReport, VerifyReport } from "../../store/store.ts"
import { bytesText, tableText } from "../text/table-text.ts"

export interface RestoreLine {
  /** Of the store. */
  readonly folder: string
  /** The backup, or the vault of backups, as the user wrote it. */
  readonly backup: string
  /** The vault; null if `backup` is the folder of a single backup. */
  readonly vault: BackupVault | null
  /** Name of a backup of the vault; null for the one written last. */
  readonly name: string | null
}

export interface RestoreDeps {
  readonly print: (text: string) => void
  readonly restoreStore: (backup: string, folder: string) => BackupReport
  readonly restoreFromVault: (
    vault: BackupVault,
    name: string | null,
    folder: string,
  ) => Promise<BackupReport & { readonly name: string }>
  readonly listBackups: (vault: BackupVault) => Promise<BackupInfo[]>
  readonly verifyStore: (folder: string) => Promise<VerifyReport>
  readonly nowMs: () => number
}

/** Makes a backup the store of `folder`; refuses a damaged one, and a folder that has a store. */
export async function runRestore(line: RestoreLine, deps: RestoreDeps): Promise<number> {
  const { bytes, title } = await restoreInto(line, line.folder, deps)
  deps.print(`${line.folder} is what ${title} holds: ${bytes} bytes`)
  return 0
}

/** Prints the backups of a vault; the status is 1 if the manifest of one cannot be read. */
export async function runList(
  { vault, backup }: RestoreLine,
  { listBackups, print, nowMs }: RestoreDeps,
): Promise<number> {
  const all = vault === null ? [] : await listBackups(vault)
  if (all.length === 0) {
    print(vault === null ? `${backup} is a single backup` : `There are no backups in ${vault.name}`)
    return 0
  }
  const rows = all.map(({ name, takenMs, bytes, formatVersion }) => [
    name,
    formatInstant(takenMs),
    bytes === null ? "?" : bytesText(bytes),
    formatVersion === null ? "?" : String(formatVersion),
  ])
  print(tableText(["backup", "taken", "size", "format"], rows))
  const problems = all.flatMap(({ problem }) => problem ?? [])
  for (const problem of problems) print(problem)
  for (const warning of clockWarnings(all, nowMs())) print(warning)
  return problems.length === 0 ? 0 : 1
}

/**
 * Warns of backups that were taken while the clock was ahead. `all`: in the order in which they
 * were written, which is the order of restore and of removal.
 */
function clockWarnings(all: readonly BackupInfo[], nowMs: number): string[] {
  let later = { name: "now", takenMs: nowMs }
  const warnings: string[] = []
  for (const backup of all.toReversed()) {
    if (backup.takenMs <= later.takenMs) later = backup
    else {
      warnings.push(
        `Warning: the time of ${backup.name} is after ${later.name}, but it was written before: ` +
          "the clock was ahead when it was taken",
      )
    }
  }
  return warnings.reverse()
}

/**
 * Restores a backup into a temporary folder, with every sum, and verifies the store; the status is
 * 1 if a rollup differs. Throws `storage` for a damaged backup.
 */
export async function runCheck(line: RestoreLine, deps: RestoreDeps): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "tidegauge-check-"))
  try {
    const { title } = await restoreInto(line, folder, deps)
    const { compared, problems } = await deps.verifyStore(folder)
    for (const problem of problems) deps.print(problem)
    const verdict = `${compared} values compared, ${problems.length} differ`
    deps.print(`${title} can be restored: ${verdict}`)
    return problems.length === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `title`: the backup as messages name it. */
async function restoreInto(
  { backup, vault, name }: RestoreLine,
  folder: string,
  { restoreStore, restoreFromVault, listBackups, nowMs, print }: RestoreDeps,
): Promise<{ readonly bytes: number; readonly title: string }> {
  if (vault === null) return { bytes: restoreStore(backup, folder).bytes, title: backup }
  for (const warning of clockWarnings(await listBackups(vault), nowMs())) print(warning)
  const restored = await restoreFromVault(vault, name, folder)
  return { bytes: restored.bytes, title: `${restored.name} of ${backup}` }
}
