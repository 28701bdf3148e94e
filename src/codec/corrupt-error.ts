/** Stored bytes are not what was written: cut short, damaged, or of a later version. */
export class CorruptError extends Error {
  override readonly name = "CorruptError"
}
