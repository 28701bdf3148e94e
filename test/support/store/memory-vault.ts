/** A vault in memory, whose calls a test may let fail. */

import { ServiceError } from "../../../src/base/errors.ts"
import type { BackupVault, VaultEntry } from "../../../src/store/backup-vault.ts"

export class MemoryVault implements BackupVault {
  readonly name = "memory"
  readonly files = new Map<string, Buffer>()
  /** Writes and removals that still succeed. */
  callsLeft = Infinity

  async list(folder: string): Promise<VaultEntry[]> {
    return [...this.files]
      .filter(([path]) => path.startsWith(`${folder}/`))
      .map(([path, { length }]) => ({ path, bytes: length }))
  }

  async read(path: string): Promise<Buffer | null> {
    return this.files.get(path) ?? null
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    this.count(path)
    this.files.set(path, Buffer.from(bytes))
  }

  async remove(path: string): Promise<void> {
    this.count(path)
    this.files.delete(path)
  }

  private count(path: string): void {
    if (this.callsLeft-- <= 0) throw new ServiceError("storage", `memory failed at "${path}"`)
  }
}
