/**
 * Manifest of a backup in a vault: the files of a store as lists of chunks. format/backup.md
 * describes it.
 */

import { createHash } from "node:crypto"
import { assert } from "../../../base/assert.ts"
import { largestOf } from "../../../base/iterables.ts"
import { ServiceError } from "../../../base/errors.ts"
import { formatVersion } from "../disk/format-version.ts"
import type { BackupVault } from "../../backup-vault.ts"
import { laterFormat } from "./restore.ts"

/** Version of the layout of a vault. */
export const vaultFormat = 1
/** That of `data.mdb` has 4.4 MB at most (chunks.ts), that of a WAL of 16 GiB as much. */
const manifestBytesMax = 32 * 2 ** 20

const manifestFolder = "backups"
const pathPattern = /^backups\/(\d{4}-\d\d-\d\dT\d{6}Z(?:-\d{1,15})?)\.json$/
const namePattern = /^(.*T\d\d)(\d\d)(\d\d)Z(?:-(\d+))?$/

export interface ChunkedFile {
  readonly name: string
  readonly bytes: number
  /** SHA-256 of each chunk, hexadecimal, in order. */
  readonly chunks: readonly string[]
}

export interface VaultManifest {
  readonly vaultFormat: number
  readonly formatVersion: number
  /** Identity of the installation. */
  readonly store: string
  readonly takenMs: number
  /** Length of every chunk but the last of a file. */
  readonly chunkBytes: number
  /** Sequence of the newest WAL record from before the snapshot. */
  readonly newest: number
  readonly files: readonly ChunkedFile[]
}

export function manifestPath(name: string): string {
  return `${manifestFolder}/${name}.json`
}

/**
 * The name of the next backup of a vault that has `names`: its moment to the second, UTC, and an
 * ordinal greater than all others. The ordinal gives the order, since a clock may have been ahead.
 */
export function nextName(names: readonly string[], takenMs: number): string {
  const moment = new Date(takenMs)
    .toISOString()
    .replace(/:/g, "")
    .replace(/\.\d+Z$/, "Z")
  return `${moment}-${largestOf([0, ...names.map(ordinalOf)]) + 1}`
}

/** Epoch milliseconds of the moment in the name of a backup. */
export function takenMsOf(name: string): number {
  const [, hours, minutes, seconds] = namePattern.exec(name)!
  return Date.parse(`${hours}:${minutes}:${seconds}Z`)
}

/** 0 for backups of versions that gave none. */
function ordinalOf(name: string): number {
  return Number(namePattern.exec(name)![4] ?? 0)
}

/** The names of all finished backups of a vault, in the order in which they were written. */
export async function backupNames(vault: BackupVault): Promise<string[]> {
  const entries = await vault.list(manifestFolder)
  const names = entries.flatMap(({ path }) => pathPattern.exec(path)?.[1] ?? [])
  return names.sort((one, other) => ordinalOf(one) - ordinalOf(other) || (one < other ? -1 : 1))
}

/** Two lines: the manifest as JSON, and the SHA-256 of the first line. */
export function encodeManifest(manifest: VaultManifest): Buffer {
  const line = JSON.stringify(manifest)
  const bytes = Buffer.from(`${line}\n${sumOf(line)}\n`)
  assert(bytes.length <= manifestBytesMax, "Expected a manifest within its limit")
  return bytes
}

/** Throws `storage` with the path for a manifest that is missing, damaged or of a later format. */
export async function readVaultManifest(vault: BackupVault, name: string): Promise<VaultManifest> {
  const path = manifestPath(name)
  const bytes = await vault.read(path)
  if (bytes === null) throw unreadable(vault, path, "is missing")
  if (bytes.length > manifestBytesMax) throw unreadable(vault, path, "is too long")
  const [line, sum] = bytes.toString("utf8").split("\n")
  if (line === undefined || sum !== sumOf(line)) {
    throw unreadable(vault, path, "is damaged: its checksum")
  }
  const manifest = JSON.parse(line) as VaultManifest
  if (manifest.vaultFormat > vaultFormat || manifest.formatVersion > formatVersion) {
    throw laterFormat(manifest.formatVersion)
  }
  return manifest
}

export function unreadable(vault: BackupVault, path: string, problem: string): ServiceError {
  return new ServiceError("storage", `"${path}" of the backups in ${vault.name} ${problem}`)
}

function sumOf(line: string): string {
  return createHash("sha256").update(line).digest("hex")
}
