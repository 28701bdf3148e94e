/**
 * The key that encrypts secrets of datasources and notifications: a file in the data folder,
 * created at the first start, readable by its owner alone. Without it the secrets are lost, so it
 * belongs in a backup, best kept apart from the store.
 */

import { open, readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import { ServiceError } from "../../base/errors.ts"
import type { Random } from "../../base/random.ts"

export const secretKeyFile = "secrets.key"

const keyBytes = 32

/** Reads the key of an existing data folder, or creates it. Throws `storage`. */
export async function openSecretKey(folder: string, random: Random): Promise<Uint8Array> {
  const path = join(folder, secretKeyFile)
  try {
    return (await readKey(path)) ?? (await createKey(path, random))
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError("storage", `Could not read or write the key file ${path}`, { cause })
  }
}

async function readKey(path: string): Promise<Uint8Array | undefined> {
  const key = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })
  if (key !== undefined && key.length !== keyBytes) {
    const found = `the key file ${path} has ${key.length}`
    throw new ServiceError("storage", `Expected a key of ${keyBytes} bytes, but ${found}`)
  }
  return key
}

/** Writes under another name first: a power cut leaves the whole file, or none of that name. */
async function createKey(path: string, random: Random): Promise<Uint8Array> {
  const key = random.bytes(keyBytes)
  const file = await open(`${path}.new`, "w", 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(key)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  return key
}
