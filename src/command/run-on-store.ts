/** The commands on a store: `tidegauge verify`, `probe`, `repair`, `backup`, `restore`. */

import { existsSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { openVault, vaultSettingsOf, s3Scheme } from "../backup/open-vault.ts"
import { systemClock } from "../base/clock.ts"
import { invalid } from "../base/errors.ts"
import type { OnProgress } from "../base/work-progress.ts"
import { runBackup } from "./store/backup.ts"
import type { Config } from "../config/config.ts"
import type { CommandLine } from "./line/spec.ts"
import { runCheck, runList, runRestore, type RestoreDeps } from "./store/restore.ts"
import { runProbe } from "./store/scan.ts"
import { Progress } from "./text/progress.ts"
import { runRepair } from "./store/repair.ts"
import { runVerify } from "./store/verify.ts"
import {
  backupStore,
  listBackups,
  scanStore,
  refuseMissingStore,
  repairStore,
  restoreFromVault,
  restoreStore,
  storeBytes,
  verifyStore,
} from "../store/open.ts"

interface StoreCommandDeps {
  /** Of the store. */
  readonly folder: string
  readonly config: Config
  readonly print: (text: string) => void
}

type Run = (
  deps: StoreCommandDeps,
  line: CommandLine,
  onStep: OnProgress,
) => number | Promise<number>

/** How often the size of the growing backup is read. */
const pollEveryMs = 200

const nowMs = (): number => systemClock.nowMs()

const runs: Readonly<Record<string, Run>> = {
  verify: ({ folder, print }, _, onStep) =>
    runVerify(folder, { verifyStore: (path) => verifyStore(path, onStep), print }),
  probe: ({ folder, print }) => runProbe(folder, { probeStore: scanStore, print }),
  repair: ({ folder, print }, _, onStep) =>
    runRepair(folder, { repairStore: (path) => repairStore(path, nowMs(), onStep), print }),
  backup: ({ folder, print }, { words }, onStep) => {
    const paths = { folder, backup: words[0]! }
    return runBackup(paths, { backupStore: backUpWithProgress(onStep), print })
  },
  restore: ({ folder, config, print }, line, onStep) =>
    restore(line, config, {
      folder,
      print,
      restoreStore: (from, to) => restoreStore(from, to, onStep),
      restoreFromVault: (vault, name, to) => restoreFromVault(vault, name, to, onStep),
      listBackups,
      verifyStore: (path) => verifyStore(path, onStep),
      nowMs,
    }),
}

/** A folder with a folder `backups` in it, and a bucket, are vaults of many backups. */
async function restore(
  { words, options }: CommandLine,
  config: Config,
  { folder, ...deps }: RestoreDeps & { readonly folder: string },
): Promise<number> {
  const backup = words[0] ?? config.backupTo
  if (backup === null) throw invalid("restore needs BACKUP, or a vault in --backup-to")
  const isVault = backup.startsWith(s3Scheme) || existsSync(join(backup, "backups"))
  const vault = isVault ? await openVault(vaultSettingsOf(backup, config), { pause }) : null
  const line = { folder, backup, vault, name: options.get("name") ?? null }
  if (options.has("list")) return runList(line, deps)
  return options.has("check") ? runCheck(line, deps) : runRestore(line, deps)
}

/** LMDB copies in a thread of its own and reports nothing: the file's size shows the progress. */
function backUpWithProgress(onStep: OnProgress) {
  return async (folder: string, backup: string) => {
    const total = storeBytes(folder)
    const report = (): void =>
      onStep({ what: "copying", done: storeBytes(backup), total, unit: "B" })
    const timer = setInterval(report, pollEveryMs)
    try {
      return await backupStore(folder, backup, nowMs, onStep)
    } finally {
      clearInterval(timer)
    }
  }
}

/**
 * Resolves to the exit status. Throws `storage` if the command expects a store and there is none.
 */
export async function runOnStore(line: CommandLine, deps: StoreCommandDeps): Promise<number> {
  if (line.command.name !== "restore") refuseMissingStore(deps.folder)
  const progress = new Progress({
    write: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    elapsedMs: () => performance.now(),
  })
  const print = (text: string): void => {
    progress.clear()
    deps.print(text)
  }
  try {
    return await runs[line.command.name]!({ ...deps, print }, line, progress.step)
  } finally {
    progress.clear()
  }
}
