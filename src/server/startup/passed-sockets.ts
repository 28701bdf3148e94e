/**
 * Sockets that the service manager listens on and passes to the server (systemd.socket(5),
 * sd_listen_fds(3)). The manager keeps them open while the server restarts: connections wait in
 * their queue, and none is refused.
 *
 *   LISTEN_PID       process that the sockets are for
 *   LISTEN_FDS       how many there are, as descriptors from 3
 *   LISTEN_FDNAMES   their names between colons: `http` for --port, `redirect` for --http-redirect
 */

import { invalid } from "../../base/errors.ts"

export interface PassedSockets {
  /** Descriptors; `null`: the server listens itself. */
  readonly http: number | null
  readonly redirect: number | null
}

export const noSockets: PassedSockets = { http: null, redirect: null }

type Variables = Record<string, string | undefined>

const firstDescriptor = 3
/** One for each name. */
const socketsMax = 2
const names = ["http", "redirect"] as const

/**
 * Reads the variables and removes them, so that no child takes them for its own. A single socket
 * may have any name, since without `FileDescriptorName=` it has that of its unit. Throws `invalid`
 * with one sentence that names the variable.
 */
export function takePassedSockets(env: Variables, pid: number): PassedSockets {
  const { LISTEN_PID: owner, LISTEN_FDS: count, LISTEN_FDNAMES: list } = env
  for (const name of ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]) delete env[name]
  if (owner === undefined || count === undefined) return noSockets
  if (wholeNumber("LISTEN_PID", owner) !== pid) return noSockets
  const sockets = wholeNumber("LISTEN_FDS", count)
  if (sockets === 0) return noSockets
  const given = list === undefined ? [] : list.split(":")
  if (sockets === 1 && given[0] !== "redirect") return { ...noSockets, http: firstDescriptor }
  if (sockets > socketsMax) {
    throw invalid(`LISTEN_FDS "${count}": expected at most ${socketsMax} sockets`)
  }
  return named(given, sockets)
}

function named(given: readonly string[], sockets: number): PassedSockets {
  const isClear =
    given.length === sockets &&
    new Set(given).size === sockets &&
    given.every((name) => (names as readonly string[]).includes(name))
  if (!isClear) {
    throw invalid(
      `LISTEN_FDNAMES "${given.join(":")}": expected ${sockets} different names of ` +
        `${names.join(", ")}; set FileDescriptorName= in a unit for each socket`,
    )
  }
  const descriptorOf = (name: string): number | null => {
    const index = given.indexOf(name)
    return index === -1 ? null : firstDescriptor + index
  }
  return { http: descriptorOf("http"), redirect: descriptorOf("redirect") }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw invalid(`${name} "${text}": expected a whole number`)
  return Number(text)
}
