/** `tidegauge verify`: recomputes the rollups of a stopped server's store, compares bytes. */

import type { VerifyReport } from "../../store/store.ts"

/** Prints the differences; resolves to the exit status, 1 if there are any. */
export async function runVerify(
  folder: string,
  deps: {
    readonly verifyStore: (folder: string) => Promise<VerifyReport>
    readonly print: (text: string) => void
  },
): Promise<number> {
  const { compared, problems } = await deps.verifyStore(folder)
  for (const problem of problems) deps.print(problem)
  deps.print(`${folder}: ${compared} values compared, ${problems.length} differ`)
  return problems.length === 0 ? 0 : 1
}
