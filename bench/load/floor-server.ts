/**
 * The floor: a bare node:http server that reads each body and answers 202. With a file, a body is
 * synced to it first, together with all others that wait: the least cost of a durable 202.
 *
 * Arguments: its port[, a file].
 */

import { fdatasync, openSync, writeSync, writevSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"

const [port, file] = process.argv.slice(2)

interface Posted {
  readonly chunks: readonly Buffer[]
  readonly response: ServerResponse
}

let waiting: Posted[] = []
let isSyncing = false
// A file of its full size is overwritten, as a recycled log is: a sync then writes no sizes.
const fileBytes = 256 * 1024 * 1024
let at = 0
const descriptor = file === undefined ? -1 : fullFile(file)

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    waiting.push({ chunks, response })
    if (descriptor < 0) answerAll(take())
    else if (!isSyncing) store()
  })
})
// A paced run leaves some of its connections idle for longer than the default of 5 s.
server.keepAliveTimeout = 600_000
server.listen(Number(port), "127.0.0.1")

function store(): void {
  const posted = take()
  if (posted.length === 0) return
  isSyncing = true
  const chunks = posted.flatMap((one) => one.chunks)
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  if (at + bytes > fileBytes) at = 0
  writevSync(descriptor, chunks, at)
  at += bytes
  fdatasync(descriptor, (error) => {
    if (error !== null) throw error
    isSyncing = false
    answerAll(posted)
    store()
  })
}

function take(): Posted[] {
  const posted = waiting
  waiting = []
  return posted
}

function answerAll(posted: readonly Posted[]): void {
  for (const { response } of posted) {
    response.statusCode = 202
    response.setHeader("content-length", 0)
    response.end()
  }
}

function fullFile(path: string): number {
  const descriptor = openSync(path, "w+")
  const zeros = Buffer.alloc(1024 * 1024)
  for (let at = 0; at < fileBytes; at += zeros.length) writeSync(descriptor, zeros, 0, null, at)
  return descriptor
}
