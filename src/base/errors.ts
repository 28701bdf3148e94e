/**
 * Typed errors for the two kinds of failure that are not bugs (bugs are asserted, base/assert.ts).
 * `http/shared/errors.ts` alone maps codes to HTTP status codes.
 */

/** When each code is used; a test keeps this list and http/shared/errors.ts equal. */
export const errorCodes = {
  invalid: "the caller sent something that has no meaning; `problems` names field and value",
  unauthenticated: "no or wrong credentials",
  forbidden: "credentials are good, the right is missing; or the API key is unknown",
  missing: "the named thing does not exist",
  tooLarge: "a body, archive or window is over its named limit",
  throttled: "a key is over its rate, or a user or tenant has too many queries",
  overloaded: "a queue is full or memory is short; nothing was stored, the caller may try again",
  timedOut: "a query took longer than its limit; the caller may repeat it or ask for less",
  cancelled: "the client closed the connection before its query was answered",
  stopping: "the server is shutting down; nothing was stored",
  readOnly: "the disk is nearly full or refused a write; nothing was stored, queries are answered",
  storage: "the disk or the store failed; nothing was acknowledged",
} as const

export type ErrorCode = keyof typeof errorCodes

/**
 * A mistake of a client or a failure of the environment, described with values and without blame.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError"
  readonly code: ErrorCode
  /** One sentence for each problem, with field and value; never empty. */
  readonly problems: readonly string[]
  /** For `throttled`, `overloaded`, `timedOut` and `readOnly`: when a retry makes sense. */
  readonly retryAfterSeconds: number | undefined
  /** Of a process that ends with this error. */
  readonly exitStatus: number

  constructor(
    code: ErrorCode,
    problems: string | readonly string[],
    options: { cause?: unknown; retryAfterSeconds?: number; exitStatus?: number } = {},
  ) {
    const list = typeof problems === "string" ? [problems] : problems
    super(list.join("; "), { cause: options.cause })
    this.code = code
    this.problems = list
    this.retryAfterSeconds = options.retryAfterSeconds
    this.exitStatus = options.exitStatus ?? 1
  }
}

/** Shorthand for the most common case: an invalid value. */
export function invalid(problems: string | readonly string[]): ServiceError {
  return new ServiceError("invalid", problems)
}
