/** `tidegauge repair`: mends the store of a stopped server, and tells each thing that it does. */

import type { RepairReport } from "../store/store.ts"

/** Prints what was done; gives the exit status, 1 where something is still wrong. */
export async function runRepair(
  folder: string,
  deps: {
    readonly repairStore: (folder: string) => Promise<RepairReport>
    readonly print: (text: string) => void
  },
): Promise<number> {
  const { done, problems, setAside } = await deps.repairStore(folder)
  for (const line of done) deps.print(line)
  for (const problem of problems) deps.print(`still wrong: ${problem}`)
  if (setAside !== null) deps.print(`What was set aside is in ${setAside}`)
  deps.print(`${folder}: ${done.length} things mended, ${problems.length} left`)
  return problems.length === 0 ? 0 : 1
}
