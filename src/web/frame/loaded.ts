/** The state of what a part of a page loads. */
export interface Loaded<T> {
  /** The last answer; null before the first. */
  readonly value: T | null
  /** Why the last load failed; null after a success. */
  readonly error: Error | null
  readonly isLoading: boolean
  /** The last answer is of another subject: that of this one is on its way. */
  readonly isFormer: boolean
  /** Ends the load that is on its way, as one that failed. */
  readonly cancel: () => void
  /** Loads again. */
  readonly reload: () => void
}
