/**
 * Failures: gives what went wrong inside a request id, and tells the log once what stands behind
 * it.
 */

import type { Logger } from "../../base/log.ts"
import type { Random } from "../../base/random.ts"
import type { ErrorIds } from "./errors.ts"

/**
 * Names failures. One error object that fails a whole batch of requests keeps one id and one line
 * in the log. A line never holds a key, a password or a URL.
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
