/** The commands on a store: `tidegauge verify`, `probe`, `repair`, `backup`, `restore`. */

import { systemClock } from "../base/clock.ts"
import type { OnProgress } from "../base/work-progress.ts"
import { runBackup, runRestore } from "./store/backup.ts"
import type { CommandLine } from "./line/spec.ts"
import { runProbe } from "./store/scan.ts"
import { Progress } from "./text/progress.ts"
import { runRepair } from "./store/repair.ts"
import { runVerify } from "./store/verify.ts"
import {
  backupStore,
  scanStore,
  refuseMissingStore,
  repairStore,
  restoreStore,
  storeBytes,
  verifyStore,
} from "../store/open.ts"

interface StoreCommandDeps {
  /** Of the store. */
  readonly folder: string
  readonly print: (text: string) => void
}

type Run = (
  deps: StoreCommandDeps,
  argument: string,
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
  backup: ({ folder, print }, backup, onStep) =>
    runBackup({ folder, backup }, { backupStore: backUpWithProgress(onStep), print }),
  restore: ({ folder, print }, backup, onStep) =>
    runRestore(
      { folder, backup },
      { restoreStore: (from, to) => restoreStore(from, to, onStep), print },
    ),
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
    const argument = line.words[0] ?? ""
    return await runs[line.command.name]!({ ...deps, print }, argument, progress.step)
  } finally {
    progress.clear()
  }
}
