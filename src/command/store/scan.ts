/**
 * `tidegauge probe`: a quick look whether a store's file is what was written. The server runs it
 * before it opens a store that was not left in order.
 */

/** Prints a line a problem; gives the exit status, 1 where there is any. */
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
