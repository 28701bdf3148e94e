/**
 * Worker result: carries a typed error from one thread to another. A structured clone keeps an
 * error's message and loses its class and fields, so a worker answers with a result and the
 * receiver unwraps it.
 */

import { ServiceError, type ErrorCode } from "../base/errors.ts"

export type WorkerResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly code: ErrorCode
      readonly problems: readonly string[]
      readonly retryAfterSeconds: number | undefined
    }

/** Calls `work`; turns a ServiceError into a result and rethrows anything else. */
export async function toWorkerResult<T>(work: () => T | Promise<T>): Promise<WorkerResult<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { code, problems, retryAfterSeconds } = error
    return { ok: false, code, problems, retryAfterSeconds }
  }
}

/** Returns the value, or throws the ServiceError. */
export function unwrapWorkerResult<T>(outcome: WorkerResult<T>): T {
  if (outcome.ok) return outcome.value
  const { code, problems, retryAfterSeconds } = outcome
  throw new ServiceError(
    code,
    problems,
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  )
}
