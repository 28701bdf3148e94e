/** Composes backups on a schedule: a thread for each, which ends with it. */

import { vaultSettingsOf } from "../../backup/open-vault.ts"
import { BackupSchedule } from "../../backup/schedule.ts"
import type { Delay } from "../../base/async.ts"
import type { Clock } from "../../base/clock.ts"
import type { Logger } from "../../base/log.ts"
import type { Config } from "../../config/config.ts"
import { createThreadPool } from "../../engine/worker-pool.ts"
import { unwrapWorkerResult, type WorkerResult } from "../../engine/worker-result.ts"
import { resources } from "../../runtime/resources.ts"
import { repeat } from "../../runtime/timers.ts"
import type { VaultBackupReport } from "../../store/backup-vault.ts"
import type { BackupTask, BackupWorkerData } from "../../worker/backup-worker.ts"

export interface ServerBackups {
  /** Null without a vault. */
  readonly schedule: BackupSchedule | null
  start(): void
  /** Ends a running backup after its current chunk. */
  stop(): Promise<void>
}

interface Deps {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly delay: Delay
  /** Identity of the installation. */
  readonly store: () => string
}

/** Chunks are outside of V8's heap; manifests are in it. */
const nurseryMb = 4

export function openServerBackups(deps: Deps): ServerBackups {
  const { config, clock, log, delay, store } = deps
  if (config.backupTo === null) return { schedule: null, start: () => {}, stop: async () => {} }
  const vaultSettings = vaultSettingsOf(config.backupTo, config)
  const stop = new SharedArrayBuffer(1)
  const worker = { folder: config.dataPath, vaultSettings, stop }
  const schedule = new BackupSchedule({
    everyMs: config.backupEveryMs,
    newestMs: () => runOnThread<number | null>(worker, { kind: "newest" }),
    backUp: (takenMs) => {
      const task = { kind: "backUp", takenMs, keep: config.backupKeep, store: store() } as const
      return runOnThread<VaultBackupReport>(worker, task)
    },
    clock,
    elapsedMs: () => performance.now(),
    delay,
    log,
  })
  return {
    schedule,
    start: () => schedule.start(),
    stop: () => {
      Atomics.store(new Uint8Array(stop), 0, 1)
      return schedule.stop()
    },
  }
}

async function runOnThread<T>(workerData: BackupWorkerData, task: BackupTask): Promise<T> {
  const filename = resources.workerFile("backup-worker")
  const thread = { filename, threads: 1, tasksPerThread: 1, isLazy: true, nurseryMb }
  const pool = createThreadPool({ ...thread, workerData, repeat })
  try {
    return unwrapWorkerResult(await pool.run<WorkerResult<T>>(task))
  } finally {
    await pool.close()
  }
}
