/**
 * Asserts what our own code must guarantee. A failure is our bug: it stops the process (in a
 * worker, its thread) and never becomes an answer of class 4xx. What a caller or the disk may get
 * wrong is checked with typed errors instead (base/errors.ts).
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message)
}

/** Thrown by `assert` only. `message` says what was expected. */
export class AssertionError extends Error {
  override readonly name = "AssertionError"
}

/** Closes a `switch` over a union: a member that was forgotten does not compile. */
export function unreachable(value: never): never {
  throw new AssertionError(`Expected no such case, got ${String(value)}`)
}
