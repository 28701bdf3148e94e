/**
 * The key under which secrets of datasources and notifications lie encrypted: a file of its own in
 * the data folder, made at the first start, for nobody's eyes but the server's. Without the file
 * the secrets are lost, so it belongs into a backup, best kept apart from the store.
 */

import { open, readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import { ServiceError } from "../../base/errors.ts"
import type { Random } from "../../base/random.ts"

export const secretKeyFile = "secrets.key"

const keyBytes = 32

/** The key of a data folder that exists, made where it is missing. Throws `storage`. */
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

/** Under another name first: a power cut leaves the whole file, or none of that name. */
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
