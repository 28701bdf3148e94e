/**
 * Repair of keys: what stands under a key that it was not written under goes back to its own,
 * where that differs by one bit; else it is set aside.
 */

import { CorruptError } from "../../../codec/corrupt-error.ts"
import { checkKey, originalKey, type TableName } from "./key-check.ts"
import { markerTables, packMarker } from "../disk/marker.ts"
import type { RepairDeps } from "./repair-values.ts"
import { recordHeadBytes } from "../disk/record.ts"
import { tableNames } from "../disk/tables.ts"

interface MisplacedValue {
  readonly key: Buffer
  readonly value: Buffer
}

/** Goes through all tables; the frames of the inbox are left to the start. */
export function repairKeys(context: RepairDeps): void {
  for (const name of tableNames) {
    const strays: MisplacedValue[] = []
    for (const { key, value } of context.tables[name].getRange({})) {
      if (isMisplaced(name, key, value))
        strays.push({ key: Buffer.from(key), value: Buffer.from(value) })
    }
    for (const stray of strays) restore(context, name, stray)
  }
}

function isMisplaced(name: TableName, key: Buffer, value: Buffer): boolean {
  try {
    checkKey(name, key, value.subarray(0, recordHeadBytes), value.length)
    return false
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error
    return true
  }
}

function restore(
  { tables, quarantine, report, losses }: RepairDeps,
  name: TableName,
  { key, value }: MisplacedValue,
): void {
  const home = originalKey(name, key, value)
  const isMarker = markerTables.has(name)
  // Damaged itself: whoever repairs the table sets it aside. Nobody does so with these.
  if (home === undefined && !isMarker && name !== "elementLog") return
  tables[name].removeSync(key)
  const isTaken = home instanceof Buffer && tables[name].doesExist(home)
  if (home instanceof Buffer && !isTaken) {
    tables[name].putSync(home, isMarker ? packMarker(home) : value)
    return report(`${name}: what stood under a key with a flipped bit was put back under its own`)
  }
  quarantine.addValue(name, key, value)
  report(`${name}: what stood under a key that is not its own was set aside`)
  if (!isMarker && name !== "elementLog") losses.add(`${name}: an entry of which the key is lost`)
}
