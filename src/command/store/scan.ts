/**
 * `tidegauge probe`: scans a store's file for damage, quickly. The server runs it before it opens a
 * store that was not closed in order.
 */

/** Prints a line for each problem; returns the exit status, 1 if there is any. */
export function runProbe(
  folder: string,
  deps: {
    readonly probeStore: (folder: string) => string[]
    readonly print: (text: string) => void
  },
): number {
  const problems = deps.probeStore(folder)
  for (const problem of problems) deps.print(problem)
  return problems.length === 0 ? 0 : 1
}
