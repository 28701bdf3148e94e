/**
 * The thread of one backup, or of one look at a vault: it ends with the task. It is not one of
 * libuv's pool, reads the store in steps of a chunk and rests between them, and its priority is
 * lowered: a backup may take longer, ingest may not.
 */

import { setTimeout as wait } from "node:timers/promises"
import { unreachable } from "../base/assert.ts"
import { openVault, type VaultSettings } from "../backup/open-vault.ts"
import { isTuningOn } from "../config/tunings.ts"
import { DutyCycleThrottle } from "../engine/duty-cycle-throttle.ts"
import { eventLoopTurn, poolWorkerData } from "../engine/worker-pool.ts"
import { toWorkerResult } from "../engine/worker-result.ts"
import { lowerThreadPriority } from "../runtime/thread-priority.ts"
import type { BackupVault } from "../store/backup-vault.ts"
import { backUpToVault, newestBackupMs } from "../store/open.ts"

export interface BackupWorkerData {
  readonly folder: string
  readonly vaultSettings: VaultSettings
  /** One byte: not 0 if the backup is to end. */
  readonly stop: SharedArrayBuffer
}

export type BackupTask =
  | { readonly kind: "newest" }
  | {
      readonly kind: "backUp"
      readonly takenMs: number
      readonly keep: number
      /** Identity of the installation. */
      readonly store: string
    }

/** Below query threads, which are at 5. */
const niceness = 15

if (isTuningOn(process.env, "thread-priority")) lowerThreadPriority(niceness)

export default function runTask(task: BackupTask | null): Promise<unknown> {
  if (task === null) return eventLoopTurn()
  return toWorkerResult(() => run(task))
}

/** How often the thread looks whether the backup is to end: a call may take a minute. */
const stopPollMs = 100

async function run(task: BackupTask): Promise<unknown> {
  const { folder, vaultSettings, stop } = poolWorkerData() as BackupWorkerData
  const stopFlag = new Uint8Array(stop)
  const isStopping = (): boolean => Atomics.load(stopFlag, 0) !== 0
  const ending = new AbortController()
  const poll = setInterval(() => isStopping() && ending.abort(), stopPollMs)
  try {
    const { signal } = ending
    const pause = (ms: number) => wait(ms, undefined, { signal }).catch(() => {})
    const vault = await openVault(vaultSettings, { pause, signal })
    return await runOn(vault, task, { folder, pause, isStopping })
  } finally {
    clearInterval(poll)
  }
}

interface TaskDeps {
  readonly folder: string
  readonly pause: (ms: number) => Promise<void>
  readonly isStopping: () => boolean
}

async function runOn(
  vault: BackupVault,
  task: BackupTask,
  { folder, pause, isStopping }: TaskDeps,
): Promise<unknown> {
  switch (task.kind) {
    case "newest":
      return newestBackupMs(vault)
    case "backUp": {
      const throttle = new DutyCycleThrottle(() => performance.now(), pause)
      return backUpToVault({
        ...task,
        folder,
        vault,
        nowMs: () => Date.now(),
        pace: (work) => throttle.run(work),
        isStopping,
      })
    }
    default:
      return unreachable(task)
  }
}
