/** Setting aside: what every repair of a table does with an entry that it cannot keep. */

import type { Quarantine } from "../disk/quarantine.ts"
import type { tableNames, Tables } from "../disk/tables.ts"

interface SetAside {
  readonly key: Buffer
  readonly problem: string
}

/** Moves the entries of a table that have a problem to the quarantine; returns them. */
export function setAside(
  { tables, quarantine }: { readonly tables: Tables; readonly quarantine: Quarantine },
  name: (typeof tableNames)[number],
  problemOf: (key: Buffer, value: Buffer) => string | null,
): SetAside[] {
  const found: (SetAside & { readonly value: Buffer })[] = []
  for (const { key, value } of tables[name].getRange({})) {
    const problem = problemOf(key, value)
    if (problem === null) continue
    found.push({ key: Buffer.from(key), value: Buffer.from(value), problem })
  }
  for (const { key, value } of found) {
    quarantine.addValue(name, key, value)
    tables[name].removeSync(key)
  }
  return found
}
