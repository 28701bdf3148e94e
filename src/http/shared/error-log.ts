/** Error log: gives an internal error a request id, and logs the error once under that id. */

import type { Logger } from "../../base/log.ts"
import type { Random } from "../../base/random.ts"
import type { ErrorIds } from "./errors.ts"

/**
 * Creates the ids of internal errors. An error object that fails a whole batch of requests has one
 * id and one line in the log. A line never contains a key, a password or a URL.
 */
export function createErrorIds(log: Pick<Logger, "error">, random: Random): ErrorIds {
  const idsByError = new WeakMap<object, string>()
  return {
    idOf(error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      const known = idsByError.get(failure)
      if (known !== undefined) return known

      const id = Buffer.from(random.bytes(8)).toString("hex")
      idsByError.set(failure, id)
      log.error({ requestId: id, err: failure }, "request failed")
      return id
    },
  }
}
