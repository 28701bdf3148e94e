/** How far a long piece of work is, for the one who waits for it. */

export interface WorkProgress {
  /** What is done now, such as "checking pages". */
  readonly what: string
  readonly done: number
  /** Null if it is not known. */
  readonly total: number | null
  /** `B`: bytes. */
  readonly unit: "B" | "records" | "rows"
}

/** Called often, also for small steps; it must cost little. */
export type OnProgress = (step: WorkProgress) => void

/** For work that nobody waits for. */
export const ignoreProgress: OnProgress = () => {}
