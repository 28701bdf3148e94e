/** Errors for callers if stored bytes are damaged. */

import { ServiceError } from "../../../base/errors.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import type { Tables } from "./tables.ts"

/** Turns a CorruptError into a `storage` error with advice; returns other errors as they are. */
export function toServiceError(cause: unknown): unknown {
  if (!(cause instanceof CorruptError)) return cause
  const advice = "run `tidegauge verify` on the stopped store, and restore what it names"
  return new ServiceError("storage", `The store is damaged: ${cause.message}; ${advice}`, { cause })
}

/** Runs the first reads of a store; closes the environment if they fail. */
export function loadOrClose<T>(tables: Tables, load: () => T): T {
  try {
    return load()
  } catch (cause) {
    void tables.root.close()
    throw toServiceError(cause)
  }
}

/**
 * LMDB errors have a numeric code, system errors a name such as ENOSPC; assertions have neither.
 */
export function isDiskError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return typeof code === "number" || /^E[A-Z]+$/.test(String(code))
}
