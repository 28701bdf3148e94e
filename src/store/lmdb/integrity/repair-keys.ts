/**
 * Repair of keys: a value under a wrong key is moved to its original key if the two differ by one
 * bit; otherwise it is moved to the quarantine.
 */

import { corruptionOf } from "../../../codec/corrupt-error.ts"
import { checkKeyOfRecord, originalKey } from "./key-check.ts"
import { markerTables, packMarker } from "../disk/marker.ts"
import type { RepairDeps } from "./repair-values.ts"
import { recordHeadBytes } from "../disk/record.ts"
import { tableNames } from "../disk/tables.ts"

type TableName = (typeof tableNames)[number]

interface MisplacedValue {
  readonly key: Buffer
  readonly value: Buffer
}

/** Repairs the keys of all tables. */
export function repairKeys(deps: RepairDeps): void {
  for (const name of tableNames) {
    const strays: MisplacedValue[] = []
    for (const { key, value } of deps.tables[name].getRange({})) {
      if (isMisplaced(name, key, value))
        strays.push({ key: Buffer.from(key), value: Buffer.from(value) })
    }
    for (const stray of strays) restore(deps, name, stray)
  }
}

function isMisplaced(name: TableName, key: Buffer, value: Buffer): boolean {
  const head = value.subarray(0, recordHeadBytes)
  return corruptionOf(() => checkKeyOfRecord(name, key, head, value.length)) !== null
}

function restore(
  { tables, quarantine, report, losses }: RepairDeps,
  name: TableName,
  { key, value }: MisplacedValue,
): void {
  const original = originalKey(name, key, value)
  const isMarker = markerTables.has(name)
  // A damaged value is quarantined by the repair of its table, which markers and log do not have.
  if (original === undefined && !isMarker && name !== "elementLog") return
  tables[name].removeSync(key)
  const isTaken = original instanceof Buffer && tables[name].doesExist(original)
  if (original instanceof Buffer && !isTaken) {
    tables[name].putSync(original, isMarker ? packMarker(original) : value)
    return report(`${name}: what stood under a key with a flipped bit was put back under its own`)
  }
  quarantine.addValue(name, key, value)
  report(`${name}: what stood under a key that is not its own was set aside`)
  if (!isMarker && name !== "elementLog") losses.add(`${name}: an entry of which the key is lost`)
}
