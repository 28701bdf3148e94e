/** Counts the consecutive failures of each background job. */

import type { FailingJob } from "../../maintenance-store.ts"

export class JobFailures {
  private readonly byJob = new Map<string, FailingJob>()

  /** Counts a failure of `job`. */
  noteFailure(job: string, error: unknown): void {
    const failures = (this.byJob.get(job)?.failures ?? 0) + 1
    const reason = error instanceof Error ? error.message : String(error)
    this.byJob.set(job, { job, failures, reason })
  }

  /** Resets the failures of `job`, which completed. */
  noteSuccess(job: string): void {
    this.byJob.delete(job)
  }

  /** The job with the most consecutive failures, or null if the last run of each job completed. */
  get worst(): FailingJob | null {
    const jobs = [...this.byJob.values()].sort((left, right) => right.failures - left.failures)
    return jobs[0] ?? null
  }
}
