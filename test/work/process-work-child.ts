/**
 * Loaded before the program in each of its threads (`--import`): writes a line for each thread that
 * starts, each message with bytes that goes to another thread, and each answer that is compressed.
 */

import assert from "node:assert/strict"
import { appendFileSync } from "node:fs"
import { createRequire, syncBuiltinESMExports } from "node:module"
import { isMainThread, MessagePort, workerData, type Transferable } from "node:worker_threads"
import type zlib from "node:zlib"
import { workFileVariable, type Bytes, type WorkLine } from "./process-work.ts"

/** Shorter texts are names of tasks and fields. */
const textCharactersMin = 1_000

const path = process.env[workFileVariable]!
const note = (line: WorkLine): void => appendFileSync(path, `${JSON.stringify(line)}\n`)

/** Piscina puts data of its own before that of the pool. */
function nameOfThread(): string {
  const data = [workerData as unknown].flat(2).at(-1) as Readonly<Record<string, unknown>> | null
  if (typeof data?.["role"] === "string") return data["role"]
  return data !== null && "retentionMs" in data ? "shard" : "other"
}

/** Adds the bytes of buffers and long texts below a value, of each buffer once. */
function addBytes(value: unknown, bytes: Bytes, seen: Set<unknown>): void {
  if (typeof value === "string" && value.length >= textCharactersMin) bytes.copied += value.length
  if (typeof value !== "object" || value === null || seen.has(value)) return
  seen.add(value)
  if (value instanceof ArrayBuffer) bytes.copied += value.byteLength
  else if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof SharedArrayBuffer) bytes.shared += value.byteLength
    else addBytes(value.buffer, bytes, seen)
  } else if (!(value instanceof SharedArrayBuffer || value instanceof MessagePort)) {
    for (const part of Object.values(value)) addBytes(part, bytes, seen)
  }
}

const thread = isMainThread ? "main" : nameOfThread()
if (!isMainThread) note({ kind: "thread", thread })

const { postMessage } = MessagePort.prototype
MessagePort.prototype.postMessage = function (value: unknown, moved: readonly unknown[] = []) {
  assert(Array.isArray(moved), "Expected a list of what is moved")
  const bytes: Bytes = { copied: 0, moved: 0, shared: 0 }
  const buffers = moved.filter((one) => one instanceof ArrayBuffer)
  for (const { byteLength } of buffers) bytes.moved += byteLength
  addBytes(value, bytes, new Set(buffers))
  if (Object.values(bytes).some((count) => count > 0)) note({ kind: "message", thread, bytes })
  postMessage.call(this, value, moved as Transferable[])
}

const compression = createRequire(import.meta.url)("node:zlib") as typeof zlib
const { createGzip, createBrotliCompress, constants } = compression
const watched = {
  createGzip: (...[options]: Parameters<typeof createGzip>) => {
    note({ kind: "compression", how: `gzip ${options?.level}` })
    return createGzip(options)
  },
  createBrotliCompress: (...[options]: Parameters<typeof createBrotliCompress>) => {
    const quality = options?.params?.[constants.BROTLI_PARAM_QUALITY]
    note({ kind: "compression", how: `br ${String(quality)}` })
    return createBrotliCompress(options)
  },
}
for (const [name, value] of Object.entries(watched)) {
  Object.defineProperty(compression, name, { value, configurable: true, enumerable: true })
}
syncBuiltinESMExports()
