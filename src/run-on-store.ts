/** The commands on a store beside serving: `tidegauge verify`, `probe`, `repair`, … */

import { systemClock } from "./base/clock.ts"
import { runBackup, runRestore } from "./command/backup.ts"
import type { CommandLine } from "./command/line/spec.ts"
import { runProbe } from "./command/probe.ts"
import { runRepair } from "./command/repair.ts"
import { runVerify } from "./command/verify.ts"
import {
  backupStore,
  probeStore,
  refuseMissingStore,
  repairStore,
  restoreStore,
  verifyStore,
} from "./store/open.ts"

export interface StoreWorld {
  /** Of the store. */
  readonly folder: string
  readonly print: (text: string) => void
}

type Run = (world: StoreWorld, argument: string) => number | Promise<number>

const nowMs = (): number => systemClock.nowMs()
const repair = (folder: string) => repairStore(folder, nowMs())
const backUp = (folder: string, backup: string) => backupStore(folder, backup, nowMs)

const runs: Readonly<Record<string, Run>> = {
  verify: ({ folder, print }) => runVerify(folder, { verifyStore, print }),
  probe: ({ folder, print }) => runProbe(folder, { probeStore, print }),
  repair: ({ folder, print }) => runRepair(folder, { repairStore: repair, print }),
  backup: ({ folder, print }, backup) =>
    runBackup({ folder, backup }, { backupStore: backUp, print }),
  restore: ({ folder, print }, backup) => runRestore({ folder, backup }, { restoreStore, print }),
}

/** Gives the exit status. Throws `storage` if the command expects a store and there is none. */
export async function runOnStore(line: CommandLine, world: StoreWorld): Promise<number> {
  if (line.command.name !== "restore") refuseMissingStore(world.folder)
  return runs[line.command.name]!(world, line.words[0] ?? "")
}
