/**
 * The key that encrypts secrets of datasources and notifications: a file in the data folder,
 * created at the first start, readable by its owner alone. Without it the secrets are lost, so it
 * belongs in a backup, best kept apart from the store.
 */

import { open, readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import { invalid, ServiceError } from "../../base/errors.ts"
import type { Random } from "../../base/random.ts"

export const secretKeyFile = "secrets.key"

const keyBytes = 32

/**
 * The key of a data folder: `given` in hexadecimal, else that of the folder, which is created if it
 * is missing. Throws `storage`, and `invalid` if the folder has another key than the given one.
 */
export async function openSecretKey(
  folder: string,
  random: Random,
  given: string | null = null,
): Promise<Uint8Array> {
  const path = join(folder, secretKeyFile)
  try {
    const kept = await readKey(path)
    if (given === null) return kept ?? (await createKey(path, random))
    const key = Buffer.from(given, "hex")
    if (kept !== undefined && !key.equals(kept)) throw otherKey(path)
    return key
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError("storage", `Could not read or write the key file ${path}`, { cause })
  }
}

/** With the wrong one of two keys no stored secret opens, so the operator decides. */
function otherKey(path: string): ServiceError {
  return invalid(`--secret-key differs from the key in ${path}: give that one, or move the file`)
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
