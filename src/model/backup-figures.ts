/** Figures of backups on a schedule, for metrics and health. */

export interface BackupFigures {
  /** Pause between the beginnings of two backups. */
  readonly everyMs: number
  /** Moment of the newest finished backup of the vault; null if there is none, or before a look. */
  readonly lastSuccessMs: number | null
  /** Of the newest backup since the start: how long it took, bytes of the store; 0 without one. */
  readonly lastDurationMs: number
  readonly lastBytes: number
  /** Since the start. */
  readonly successes: number
  readonly failures: number
  readonly uploadedBytes: number
  /** Why the newest attempt failed; null if it did not. */
  readonly problem: string | null
}
