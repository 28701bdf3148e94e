/** Counts how often each background job failed in a row. */

import type { FailingJob } from "../../store.ts"

export class JobFailures {
  private readonly byJob = new Map<string, FailingJob>()

  /** Counts a failure of `job`. */
  noteFailure(job: string, error: unknown): void {
    const failures = (this.byJob.get(job)?.failures ?? 0) + 1
    const reason = error instanceof Error ? error.message : String(error)
    this.byJob.set(job, { job, failures, reason })
  }

  /** Forgets the failures of `job`, which has run to its end. */
  noteSuccess(job: string): void {
    this.byJob.delete(job)
  }

  /** The job with the most failures in a row, or null if each job ended well the last time. */
  get worst(): FailingJob | null {
    const jobs = [...this.byJob.values()].sort((left, right) => right.failures - left.failures)
    return jobs[0] ?? null
  }
}
