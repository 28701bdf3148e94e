/** Stored bytes are not what was written: cut short, damaged, or of a later version. */
export class CorruptError extends Error {
  override readonly name = "CorruptError"
}

/** Returns the message of the CorruptError that `read` throws; null if it throws nothing. */
export function corruptionOf(read: () => void): string | null {
  try {
    read()
    return null
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error
    return error.message
  }
}
