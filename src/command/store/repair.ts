/** `tidegauge repair`: repairs the store of a stopped server and prints each step. */

import type { RepairReport } from "../../store/store.ts"

/** Prints the report; resolves to the exit status, 1 if something is lost or still wrong. */
export async function runRepair(
  folder: string,
  deps: {
    readonly repairStore: (folder: string) => Promise<RepairReport>
    readonly print: (text: string) => void
  },
): Promise<number> {
  const { done, lost, problems, quarantineFolder } = await deps.repairStore(folder)
  for (const line of done) deps.print(line)
  for (const line of lost) deps.print(`lost: ${line}`)
  for (const problem of problems) deps.print(`still wrong: ${problem}`)
  if (quarantineFolder !== null) deps.print(`What was set aside is in ${quarantineFolder}`)
  const counts = `${done.length} things mended, ${lost.length} lost, ${problems.length} left`
  deps.print(`${folder}: ${counts}`)
  if (lost.length > 0) deps.print("A backup is the way back to what is lost.")
  return problems.length + lost.length === 0 ? 0 : 1
}
