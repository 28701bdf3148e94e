/** Ids that connect a response, the log and what a client or proxy knows of a request. */

import type { Logger } from "../../base/log.ts"
import type { Random } from "../../base/random.ts"

/** Of a request as a client or proxy may send it, and of its response. */
export const requestIdHeader = "X-Request-Id"

/** Proxies send UUIDs, hexadecimal digits or words; nothing that needs quotes in a log line. */
const wellFormed = /^[\w.:=+/@~-]{1,128}$/

/** Headers as node:http names them. */
type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface RequestIds {
  /** The id that a request brings, if it is well formed; a new one otherwise. */
  of(headers: RequestHeaders): string
  /** Logs an internal error; returns the id under which it is logged. */
  idOf(error: unknown, requestId: string): string
}

/**
 * Creates the ids of requests and of internal errors. An error object that fails a whole batch of
 * requests has one line in the log, under the id of the first of them.
 */
export function createRequestIds(log: Pick<Logger, "error">, random: Random): RequestIds {
  const idsByError = new WeakMap<object, string>()
  // Random bytes for each request would cost 4 µs; those of the start tell processes apart.
  const start = Buffer.from(random.bytes(4)).toString("hex")
  let count = 0
  return {
    of({ "x-request-id": given }) {
      if (typeof given === "string" && wellFormed.test(given)) return given
      count = (count + 1) % 2 ** 32
      return start + count.toString(16).padStart(8, "0")
    },
    idOf(error, requestId) {
      const failure = error instanceof Error ? error : new Error(String(error))
      const known = idsByError.get(failure)
      if (known !== undefined) return known

      idsByError.set(failure, requestId)
      log.error({ requestId, err: failure }, "request failed")
      return requestId
    },
  }
}
