/**
 * What Piscina gets as `node:worker_threads` in the single executable: its threads start from the
 * executable's assets, not from a file of the package.
 */

import { Worker as NodeWorker, type WorkerOptions } from "node:worker_threads"
import { resourceText } from "../runtime/resources.ts"

export * from "node:worker_threads"

export class Worker extends NodeWorker {
  /** Ignores the file: src/executable/start.ts knows what a thread runs. */
  constructor(_file: string | URL, options?: WorkerOptions) {
    super(resourceText("start.js"), { ...options, eval: true })
  }
}
