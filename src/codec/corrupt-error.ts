/** Thrown when stored bytes cannot be what we wrote: cut short, damaged, or of a later version. */
export class CorruptError extends Error {
  override readonly name = "CorruptError"
}
