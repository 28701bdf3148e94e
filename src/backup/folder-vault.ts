/** A vault that is a folder, on any disk or mounted file system. */

import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { dirname, join, resolve } from "node:path"
import { ServiceError } from "../base/errors.ts"
import { makeFolder } from "../base/make-folder.ts"
import type { BackupVault, VaultEntry } from "../store/backup-vault.ts"

/**
 * Its calls block their thread, which is that of the backup alone: libuv's pool has four threads,
 * and ingest needs them.
 */
export class FolderVault implements BackupVault {
  readonly name: string
  private readonly folder: string

  constructor(folder: string) {
    this.folder = resolve(folder)
    this.name = `"${folder}"`
  }

  async list(folder: string): Promise<VaultEntry[]> {
    const options = { recursive: true, withFileTypes: true } as const
    const entries = this.reporting(folder, () => readdirSync(join(this.folder, folder), options))
    return (entries ?? []).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const stats = entry.isFile() ? statSync(path, { throwIfNoEntry: false }) : undefined
      return stats === undefined ? [] : [{ path: this.relative(path), bytes: stats.size }]
    })
  }

  async read(path: string): Promise<Buffer | null> {
    return this.reporting(path, () => readFileSync(join(this.folder, path))) ?? null
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    const target = join(this.folder, path)
    this.reporting(path, () => {
      makeFolders(dirname(target))
      writeSynced(`${target}.new`, bytes)
      renameSync(`${target}.new`, target)
      syncFolder(dirname(target))
    })
  }

  async remove(path: string): Promise<void> {
    this.reporting(path, () => {
      rmSync(join(this.folder, path), { force: true })
    })
  }

  private relative(path: string): string {
    return path.slice(this.folder.length).replaceAll("\\", "/").replace(/^\/+/, "")
  }

  /** Returns undefined if there is no such file. */
  private reporting<T>(path: string, work: () => T): T | undefined {
    try {
      return work()
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException
      if (code === "ENOENT") return undefined
      const problem = `"${join(this.folder, path)}": ${code ?? message}`
      throw new ServiceError("storage", `The backup folder failed at ${problem}`, { cause })
    }
  }
}

/** Makes a folder and those above it; their names are durable on return. */
function makeFolders(folder: string): void {
  const first = makeFolder(folder)
  if (first === undefined) return
  for (let made = resolve(folder); made.length >= first.length; made = dirname(made)) {
    syncFolder(dirname(made))
  }
}

function writeSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, "w", 0o600)
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

function syncFolder(path: string): void {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
