/**
 * The control socket in the store's folder, which is also the store's lock. The process that
 * listens on it owns the store and keeps a second server out; it also executes commands that it
 * receives, so that accounts can be changed while the server runs. A user who may open the folder
 * may send commands, without a password.
 *
 *   command ─► control.sock ─► a server listens: it executes the command and replies
 *                         └──► no process listens: the command locks the store itself
 */

import { chmodSync, closeSync, existsSync, openSync, unlinkSync } from "node:fs"
import { createConnection, createServer, type Server, type Socket } from "node:net"
import { join } from "node:path"
import { ServiceError } from "../base/errors.ts"
import { makeFolder } from "../base/make-folder.ts"
import { writerOfStore } from "../store/open.ts"

/** Executes a command line. */
export type ControlHandler = (args: readonly string[]) => Promise<ControlReply>

export interface ControlReply {
  /** Exit status. */
  readonly status: number
  readonly text: string
}

export interface StoreLock {
  /** Executes commands from now on, those that have waited first. */
  serve(control: ControlHandler): void
  release(): Promise<void>
}

/** A command line of a few flags. */
const requestBytesMax = 64 * 1024
/** A list of a thousand users and its table. */
const replyBytesMax = 16 * 1024 * 1024
/** The owner may be busy opening the store: replaying the WAL takes seconds. */
const replyTimeoutMs = 60_000

/** Locks the store until `release`. Throws `storage` if another process owns it. */
export async function acquireStoreLock(folder: string): Promise<StoreLock> {
  try {
    return await lockFolder(folder)
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    // A file system without sockets has no locks for the store either.
    throw new ServiceError("storage", folderProblem(folder, cause as NodeJS.ErrnoException), {
      cause,
    })
  }
}

function folderProblem(folder: string, { code, message }: NodeJS.ErrnoException): string {
  const other = "choose another folder with --data"
  if (code === "EEXIST" || code === "ENOTDIR") {
    return `Cannot open the store in "${folder}": that is no folder; ${other}`
  }
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return `Cannot open the store in "${folder}": this user may not write there; ${other}`
  }
  if (code === "ENOENT") {
    return `Cannot open the store in "${folder}": no folder can be made there; ${other}`
  }
  return `Cannot open the store in "${folder}": ${message}`
}

async function lockFolder(folder: string): Promise<StoreLock> {
  makeFolder(folder)
  const { path, close } = socketPath(folder)
  let serve: (control: ControlHandler) => void = () => {}
  const served = new Promise<ControlHandler>((resolve) => (serve = resolve))
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    void serveOne(socket, served)
  })
  try {
    await listen(server, path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE") throw error
      if (await isListening(path)) {
        const pid = writerOfStore(folder)
        const holder = pid === null ? "Another process" : `Process ${pid}`
        throw new ServiceError("storage", `${holder} holds the store in "${folder}"`)
      }
      // Left behind by a killed process.
      unlinkSync(path)
      await listen(server, path)
    })
  } catch (error) {
    close()
    throw error
  }
  chmodSync(path, 0o600)
  // The lock alone does not keep the process alive.
  server.unref()
  return {
    serve,
    release: () =>
      new Promise((resolve) => {
        // This removes the socket's file, too.
        server.close(() => {
          close()
          resolve()
        })
        // Commands without a reply yet are not waited for.
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Sends a command line to the owner of the store. Resolves to null if there is no owner. */
export async function sendToOwner(
  folder: string,
  args: readonly string[],
): Promise<ControlReply | null> {
  if (!existsSync(folder)) return null
  const { path, close } = socketPath(folder)
  try {
    const socket = await connect(path)
    if (socket === null) return null
    socket.on("error", () => socket.destroy())
    socket.end(JSON.stringify(args))
    socket.setTimeout(replyTimeoutMs, () => socket.destroy())
    const text = await readAll(socket, replyBytesMax)
    if (text === "") throw new ServiceError("storage", "The server ended before it answered")
    return JSON.parse(text) as ControlReply
  } finally {
    close()
  }
}

/** The longest address that every system takes for a socket, with its ending zero: 104 bytes. */
const pathBytesMax = 100

/** A name for the socket that the system takes: a folder with a long name goes by a descriptor. */
function socketPath(folder: string): { path: string; close: () => void } {
  const path = join(folder, "control.sock")
  if (Buffer.byteLength(path) <= pathBytesMax) return { path, close: () => {} }
  const descriptors = "/proc/self/fd"
  if (!existsSync(descriptors)) {
    const bytesMax = pathBytesMax - "/control.sock".length
    const problem = `Expected a folder of at most ${bytesMax} bytes, got "${folder}"`
    throw new ServiceError("storage", problem)
  }
  const descriptor = openSync(folder, "r")
  return {
    path: join(descriptors, String(descriptor), "control.sock"),
    close: () => closeSync(descriptor),
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    // No other user may connect before the mode is set.
    const mask = process.umask(0o177)
    try {
      server.listen(path, () => {
        server.off("error", reject)
        resolve()
      })
    } finally {
      process.umask(mask)
    }
  })
}

async function isListening(path: string): Promise<boolean> {
  const socket = await connect(path)
  socket?.destroy()
  return socket !== null
}

/** Resolves to null if no process listens. */
function connect(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path, allowHalfOpen: true })
    socket.once("connect", () => resolve(socket))
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(null)
      else reject(new ServiceError("storage", `Cannot ask at "${path}": ${error.message}`))
    })
  })
}

async function serveOne(socket: Socket, served: Promise<ControlHandler>): Promise<void> {
  socket.on("error", () => socket.destroy())
  try {
    const text = await readAll(socket, requestBytesMax)
    if (text === "") return void socket.end()
    const control = await served
    socket.end(JSON.stringify(await control(JSON.parse(text) as readonly string[])))
  } catch {
    // The client has left or sent no command line; it sees the end of the connection.
    socket.destroy()
  }
}

/** Reads until the other side ends; not by iteration, which would close our own side, too. */
function readAll(socket: Socket, bytesMax: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    socket.on("data", (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= bytesMax) return
      socket.destroy()
      reject(new ServiceError("tooLarge", `Expected at most ${bytesMax} bytes`))
    })
    socket.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")))
    socket.on("close", () => resolve(""))
  })
}
