/**
 * Asserts what our own code must guarantee. A failure is a bug: the work that finds it
 * ends unfinished and nothing of it is stored; a request is answered 500, a background step is
 * logged and repeated. Errors of clients or of the disk are checked with typed errors instead
 * (base/errors.ts).
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message)
}

/** Thrown by `assert` only. `message` states the expectation. */
export class AssertionError extends Error {
  override readonly name = "AssertionError"
}

/** Closes a `switch` over a union: a missing member does not compile. */
export function unreachable(value: never): never {
  throw new AssertionError(`Expected no such case, got ${String(value)}`)
}
