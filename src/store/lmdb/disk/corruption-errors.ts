/** What a caller is told where stored bytes cannot be what was written. */

import { ServiceError } from "../../../base/errors.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import type { Tables } from "./tables.ts"

/** A CorruptError as a `storage` error that says what to do; anything else as it is. */
export function toServiceError(cause: unknown): unknown {
  if (!(cause instanceof CorruptError)) return cause
  const advice = "run `tidegauge verify` on the stopped store, and restore what it names"
  return new ServiceError("storage", `The store is damaged: ${cause.message}; ${advice}`, { cause })
}

/** Does the first reads of a store; when they fail the environment is closed again. */
export function loadOrClose<T>(tables: Tables, load: () => T): T {
  try {
    return load()
  } catch (cause) {
    void tables.root.close()
    throw toServiceError(cause)
  }
}

/** LMDB's errors carry a numeric code, the system's a name and a number; our assertions neither. */
export function isDiskError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return typeof code === "number" || /^E[A-Z]+$/.test(String(code))
}
