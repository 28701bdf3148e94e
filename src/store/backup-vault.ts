/** Where backups are kept: a folder, or a prefix of a bucket. */

export interface VaultEntry {
  /** From the root of the vault, with forward slashes. */
  readonly path: string
  readonly bytes: number
}

/** Every call rejects with a `ServiceError` that names vault and path. */
export interface BackupVault {
  /** As messages name it; without credentials. */
  readonly name: string
  /** All files below a folder of the vault, at any depth; none if there is no such folder. */
  list(folder: string): Promise<VaultEntry[]>
  /** The bytes of a file; null if there is none. */
  read(path: string): Promise<Buffer | null>
  /** Writes a file, which is whole or absent at any time, and durable on return. */
  write(path: string, bytes: Uint8Array): Promise<void>
  /** Removes a file; does nothing if there is none. */
  remove(path: string): Promise<void>
}

/** A backup of a vault, by its manifest. */
export interface BackupInfo {
  readonly name: string
  /** Moment of the backup, epoch milliseconds. */
  readonly takenMs: number
  /** Bytes of the store; null if the manifest cannot be read. */
  readonly bytes: number | null
  /** Format of the store; null likewise. */
  readonly formatVersion: number | null
  /** Why the manifest cannot be read; null if it can. */
  readonly problem: string | null
}

/** The result of a backup to a vault. */
export interface VaultBackupReport {
  readonly name: string
  /** Bytes of the store. */
  readonly bytes: number
  /** Chunks of it, and those of them that the vault did not have, with their bytes. */
  readonly chunks: number
  readonly newChunks: number
  readonly newBytes: number
  /** Backups and chunks that were removed. */
  readonly removedBackups: number
  readonly removedChunks: number
  /** Why nothing could be removed; null if all that was due is gone. */
  readonly collectProblem: string | null
}

export interface VaultBackupOptions {
  readonly folder: string
  readonly vault: BackupVault
  /** Identity of the installation: a vault holds backups of one. */
  readonly store: string
  /** Newest backups that are kept, this one included. */
  readonly keep: number
  /** Epoch milliseconds of the server's clock: the name of the backup. */
  readonly takenMs: number
  /** Epoch milliseconds of the machine, as times of files have it. */
  readonly nowMs: () => number
  /** Runs the work on one chunk, and rests after it. */
  readonly pace: <T>(work: () => Promise<T>) => Promise<T>
  /** Asked before each chunk; the backup then ends with the error `stopping`. */
  readonly isStopping: () => boolean
  /** For tests: called before and after each step that becomes durable. */
  readonly onPoint?: (name: string) => void
}
