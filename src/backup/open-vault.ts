/** Opens the vault that a setting names: a folder, or s3://BUCKET/PREFIX. */

import { invalid } from "../base/errors.ts"
import type { BackupVault } from "../store/backup-vault.ts"
import { FolderVault } from "./folder-vault.ts"

/** As the settings have them; structured-clonable. */
export interface VaultSettings {
  readonly vault: string
  /** `null`: that of Amazon for the region. */
  readonly endpoint: string | null
  readonly region: string
  readonly accessKey: string | null
  readonly secretKey: string | null
}

/** The settings of a server about vaults. */
export interface VaultConfig {
  readonly backupS3Endpoint: string | null
  readonly backupS3Region: string
  readonly backupS3AccessKey: string | null
  readonly backupS3SecretKey: string | null
}

export function vaultSettingsOf(vault: string, config: VaultConfig): VaultSettings {
  return {
    vault,
    endpoint: config.backupS3Endpoint,
    region: config.backupS3Region,
    accessKey: config.backupS3AccessKey,
    secretKey: config.backupS3SecretKey,
  }
}

export interface VaultDeps {
  readonly pause: (ms: number) => Promise<void>
  /** Ends running calls. */
  readonly signal?: AbortSignal
}

/** The scheme of a bucket's address. */
export const s3Scheme = "s3://"

/** Throws `invalid` if keys are missing. */
export async function openVault(settings: VaultSettings, deps: VaultDeps): Promise<BackupVault> {
  const { vault, accessKey, secretKey, region } = settings
  if (!vault.startsWith(s3Scheme)) return new FolderVault(vault)
  if (accessKey === null || secretKey === null) {
    throw invalid(`${vault} needs --backup-s3-access-key and --backup-s3-secret-key`)
  }
  const [bucket = "", ...rest] = vault.slice(s3Scheme.length).split("/")
  const prefix = rest.filter((part) => part !== "").join("/")
  const endpoint = settings.endpoint ?? `https://s3.${region}.amazonaws.com`
  // Folders do without the client.
  const { S3Vault } = await import("./s3-vault.ts")
  return new S3Vault({ bucket, prefix, endpoint, region, accessKey, secretKey }, deps)
}
