/** Small text files that an operator writes: settings, secrets, certificates. */

import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { resolve } from "node:path"
import { smallFileBytesMax } from "../base/limits.ts"

export type SmallFile =
  | {
      readonly text: string
      /** Whether every user of the machine may read it. */
      readonly isOpenToAll: boolean
    }
  /** Completes a sentence that begins with the path. */
  | { readonly problem: string; readonly isMissing: boolean }

/** Mode bit: readable by users that are neither the owner nor of the group. */
const readableByOthers = 0o004

/**
 * Containers mount secrets there, readable by all: their users are those of the container, and
 * neither Docker nor Podman lets a composition change the mode of a mounted file.
 */
const mountedSecrets = "/run/secrets/"

/** Reads a file of at most 1 MiB as UTF-8; the mode is that of the bytes that were read. */
export function readSmallFile(path: string): SmallFile {
  let file: number
  try {
    file = openSync(path, "r")
  } catch (error) {
    return problemOf(error as NodeJS.ErrnoException)
  }
  try {
    const { mode } = fstatSync(file)
    const isOpenToAll = (mode & readableByOthers) !== 0 && hasModes && !isMounted(path)
    const text = readText(file)
    return text === null ? tooLarge : { text, isOpenToAll }
  } catch (error) {
    return problemOf(error as NodeJS.ErrnoException)
  } finally {
    closeSync(file)
  }
}

/** Windows reports that everyone may read every file. */
const hasModes = process.platform !== "win32"

function isMounted(path: string): boolean {
  return resolve(path).startsWith(mountedSecrets)
}

/** The text up to the end, since the size of a pipe or of a file of /proc is 0; null if too long. */
function readText(file: number): string | null {
  const bytes = Buffer.alloc(smallFileBytesMax + 1)
  let length = 0
  while (length < bytes.length) {
    const count = readSync(file, bytes, length, bytes.length - length, null)
    if (count === 0) return bytes.toString("utf8", 0, length)
    length += count
  }
  return null
}

function problemOf({ code }: NodeJS.ErrnoException): SmallFile {
  const isMissing = code === "ENOENT" || code === "ENOTDIR"
  if (code === "EISDIR") return { problem: "is a folder", isMissing }
  return { problem: isMissing ? "does not exist" : `cannot be read (${code})`, isMissing }
}

const tooLarge = { problem: `is larger than ${smallFileBytesMax} bytes`, isMissing: false }
