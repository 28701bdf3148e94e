/** The output of an export: a new file, compressed if its name says so, or standard output. */

import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { rm } from "node:fs/promises"
import { finished } from "node:stream/promises"
import type { Writable } from "node:stream"
import { constants, createGzip } from "node:zlib"
import { ServiceError } from "../../base/errors.ts"
import type { WriteBytes } from "../row-writer.ts"
import { isGzipName, standardStream } from "../transfer-format.ts"

export interface ExportFile {
  readonly write: WriteBytes
  /** Bytes handed to it, before compression. */
  readonly bytes: number
  /** Resolves when the file is complete. */
  end(): Promise<void>
  /** Removes what was written of a file. */
  abort(): Promise<void>
}

/** Opens the output. Throws `storage` if the file exists or cannot be made. */
export async function openExportFile(path: string, stdout: Writable): Promise<ExportFile> {
  const isStandard = path === standardStream
  const file = isStandard ? stdout : await createFile(path)
  let failure: unknown = null
  file.on("error", (error) => (failure ??= error))
  // 2.5 times the speed of the usual level, for files that are a quarter larger.
  const gzip = isGzipName(path) ? createGzip({ level: constants.Z_BEST_SPEED }) : null
  gzip?.on("error", (error) => (failure ??= error))
  gzip?.pipe(file)
  const first = gzip ?? file
  const closed = new Promise<void>((resolve) => file.once("close", () => resolve()))
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    async write(piece) {
      bytes += piece.length
      if (failure === null && !first.write(piece))
        await Promise.race([once(first, "drain"), closed])
      if (failure !== null) throw failure
    },
    async end() {
      if (isStandard) return
      first.end()
      await finished(file)
    },
    async abort() {
      if (isStandard) return
      first.destroy()
      file.destroy()
      await rm(path, { force: true })
    },
  }
}

async function createFile(path: string): Promise<Writable> {
  const file = createWriteStream(path, { flags: "wx", mode: 0o600 })
  try {
    await once(file, "open")
    return file
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const problem = code === "EEXIST" ? `"${path}" exists already` : `Cannot write ${message}`
    throw new ServiceError("storage", problem, { cause: error })
  }
}
