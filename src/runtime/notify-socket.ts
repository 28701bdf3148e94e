/**
 * Messages to the service manager that started this process: datagrams to the Unix socket that
 * `NOTIFY_SOCKET` names (sd_notify(3)), which Node has no module for. Two ways:
 *
 *   node:ffi         Node 26, the runtime of the single executable: `sendto` of the C library,
 *                    0.1 ms a message, 5 to 10 ms to open
 *   systemd-notify   other versions of Node: systemd's command, 10 ms of this thread a message, 30
 *                    with 800 MB of memory; the unit needs `NotifyAccess=all`, since the sender is
 *                    another process
 *
 * The native packages of npm (sd-notify, unix-dgram, koffi) were left: the first two compile when
 * they are installed, and any would be a second native library in the executable.
 */

import { spawnSync } from "node:child_process"
import { assert } from "../base/assert.ts"
import { invalid } from "../base/errors.ts"

/** Sends lines `NAME=value`. Throws if the socket does not take them. */
export type Notify = (lines: readonly string[]) => void

/** Values of Linux, the same on x86-64 and arm64. */
const afUnix = 1
const sockDgram = 2
const sockCloexec = 0o2000000
const msgNosignal = 0x4000
/** Of `sun_path`, with the NUL at its end (unix(7)). */
const pathBytesMax = 108

/**
 * `null` without `NOTIFY_SOCKET`, which is removed so that no child reports for this process.
 * Throws `invalid` for a path that no socket can have.
 */
export function takeNotify(env: Record<string, string | undefined>): Notify | null {
  const { NOTIFY_SOCKET: path, PATH } = env
  delete env["NOTIFY_SOCKET"]
  if (path === undefined || path === "") return null
  const address = socketAddress(path)
  return sendByLibrary(address) ?? sendByCommand({ NOTIFY_SOCKET: path, PATH })
}

/** The family and the path as a `sockaddr_un`; "@" is the NUL of an abstract name. */
export function socketAddress(path: string): Buffer {
  const name = Buffer.from(path)
  const isAbstract = path.startsWith("@")
  if (!(isAbstract || path.startsWith("/")) || name.length >= pathBytesMax) {
    throw invalid(`NOTIFY_SOCKET "${path}": expected a path of a socket`)
  }
  if (isAbstract) name[0] = 0
  const family = Buffer.alloc(2)
  family.writeUInt16LE(afUnix)
  return Buffer.concat(isAbstract ? [family, name] : [family, name, Buffer.alloc(1)])
}

interface CLibrary {
  readonly socket: (domain: number, type: number, protocol: number) => number
  readonly sendto: (
    socket: number,
    bytes: Uint8Array,
    length: bigint,
    flags: number,
    address: Uint8Array,
    addressLength: number,
  ) => bigint
}

/** The part of node:ffi that is used here; the types of Node 20 do not have it. */
interface ForeignFunctions {
  dlopen(path: null, functions: typeof signatures): { readonly functions: CLibrary }
}

const signatures = {
  socket: { arguments: ["i32", "i32", "i32"], return: "i32" },
  sendto: { arguments: ["i32", "pointer", "u64", "i32", "pointer", "u32"], return: "i64" },
}

/** `null` if this runtime cannot call the C library, or calls it in another way. */
function sendByLibrary(address: Buffer): Notify | null {
  const library = openLibrary()
  if (library === null) return null
  const socket = library.socket(afUnix, sockDgram | sockCloexec, 0)
  if (socket < 0) return null
  return (lines) => {
    const bytes = messageOf(lines)
    const length = BigInt(bytes.length)
    const sent = library.sendto(socket, bytes, length, msgNosignal, address, address.length)
    if (sent === length) return
    throw new Error(`The socket of NOTIFY_SOCKET took ${sent} of ${length} bytes`)
  }
}

function openLibrary(): CLibrary | null {
  try {
    // The module is experimental: it may be missing, and its signatures may have other names.
    const module: unknown = process.getBuiltinModule("node:ffi")
    if (module === undefined) return null
    const { functions } = (module as ForeignFunctions).dlopen(null, signatures)
    // A signature that is not understood is one without arguments, which refuses these.
    return functions.socket(-1, 0, 0) === -1 ? functions : null
  } catch {
    return null
  }
}

function sendByCommand(env: NodeJS.ProcessEnv): Notify {
  return (lines) => {
    const { status, error } = spawnSync("systemd-notify", ["--", ...lines], {
      env,
      stdio: "ignore",
    })
    if (status !== 0) throw error ?? new Error(`systemd-notify ended with status ${status}`)
  }
}

function messageOf(lines: readonly string[]): Buffer {
  for (const line of lines) assert(!line.includes("\n"), "Expected one line")
  return Buffer.from(lines.join("\n"))
}
