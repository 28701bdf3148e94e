/** The machine of a measurement: a figure means nothing without. */

import { availableParallelism, cpus, release, totalmem, type } from "node:os"

/** One line: processor, cores, memory, kernel, node. */
export function machineLine(): string {
  const model = cpus()[0]?.model.trim().replace(/\s+/g, " ") ?? "unknown processor"
  const cores = availableParallelism()
  const gib = Math.round(totalmem() / 1024 ** 3)
  const system = `${type()} ${release()}`
  return `${model}, ${cores} cores, ${gib} GiB, ${system}, node ${process.versions.node}`
}
