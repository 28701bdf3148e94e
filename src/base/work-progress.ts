/** Progress of a long piece of work, for display. */

export interface WorkProgress {
  /** The current activity, such as "checking pages". */
  readonly what: string
  readonly done: number
  /** Null if it is unknown. */
  readonly total: number | null
  /** `B`: bytes. */
  readonly unit: "B" | "records" | "rows"
}

/** Called often, even for small steps; it must be cheap. */
export type OnProgress = (step: WorkProgress) => void

/** For work without a display. */
export const ignoreProgress: OnProgress = () => {}
