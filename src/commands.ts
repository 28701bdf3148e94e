/** The commands on a store beside serving: `tidegauge verify`, `probe`, `repair`, … */

import { systemClock } from "./base/clock.ts"
import { runBackup, runRestore } from "./command/backup.ts"
import { runProbe } from "./command/probe.ts"
import { runRepair } from "./command/repair.ts"
import { runVerify } from "./command/verify.ts"
import { backupStore, probeStore, repairStore, restoreStore, verifyStore } from "./store/open.ts"

export interface StoreCommand {
  /** What stands behind the name, before any flag; empty where nothing does. */
  readonly argument: string
  /** Gives the exit status. */
  run(folder: string, argument: string, print: (text: string) => void): number | Promise<number>
}

const nowMs = (): number => systemClock.nowMs()
const repair = (folder: string) => repairStore(folder, nowMs())
const backUp = (folder: string, backup: string) => backupStore(folder, backup, nowMs)

export const storeCommands: Readonly<Record<string, StoreCommand>> = {
  verify: {
    argument: "",
    run: (folder, _, print) => runVerify(folder, { verifyStore, print }),
  },
  probe: {
    argument: "",
    run: (folder, _, print) => runProbe(folder, { probeStore, print }),
  },
  repair: {
    argument: "",
    run: (folder, _, print) => runRepair(folder, { repairStore: repair, print }),
  },
  backup: {
    argument: "a folder for the backup, which does not exist yet",
    run: (folder, backup, print) => runBackup({ folder, backup }, { backupStore: backUp, print }),
  },
  restore: {
    argument: "the folder of a backup",
    run: (folder, backup, print) => runRestore({ folder, backup }, { restoreStore, print }),
  },
}
