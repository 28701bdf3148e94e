/** States of analytics (opaque bytes by kind and key), and markers of closed cycle batches. */

import { assert } from "../../../base/assert.ts"
import {
  closingKeyBytesMax,
  type StateChange,
  type StateRange,
  type StoredState,
} from "../../cycle-store.ts"
import { packMarker } from "../disk/marker.ts"
import { encodeRecord, openRecord } from "../disk/record.ts"
import { indexKey, keyToIndex, textKey, type Tables } from "../disk/tables.ts"
import type { WriteBuffer } from "../disk/write-buffer.ts"

/** Separates kind and key; a kind does not contain it. */
const separator = Buffer.of(0)
/** The byte after the separator, which ends the key range of a kind. */
const afterSeparator = Buffer.of(1)

export function putState(tables: Tables, writes: WriteBuffer, change: StateChange): void {
  const { kind, key, bytes } = change
  const at = stateKey(kind, Uint8Array.from(key))
  if (bytes === null) writes.remove(tables.states, at)
  else {
    writes.put(
      tables.states,
      at,
      encodeRecord(at, (writer) => writer.append(bytes)),
    )
  }
}

/** A copy of the state, or undefined. */
export function getState(tables: Tables, kind: string, key: Uint8Array): Uint8Array | undefined {
  const at = stateKey(kind, key)
  const bytes = tables.states.view(at)
  return bytes === undefined ? undefined : contentOf(at, bytes)
}

/** Copies of the states of a kind, in order of their keys. */
export function listStates(
  tables: Tables,
  kind: string,
  { from, to, limit }: StateRange = {},
): StoredState[] {
  const prefix = stateKey(kind, new Uint8Array(0)).length
  const start = stateKey(kind, from ?? new Uint8Array(0))
  const end = to === undefined ? Buffer.concat([textKey(kind), afterSeparator]) : stateKey(kind, to)
  const bounds = limit === undefined ? { start, end } : { start, end, limit }
  return [...tables.states.getRange(bounds)].map(({ key, value }) => ({
    key: Uint8Array.from(key.subarray(prefix)),
    bytes: contentOf(key, value),
  }))
}

/** Marks this batch of this cycle as closed. */
export function markClosed(
  tables: Tables,
  writes: WriteBuffer,
  of: { readonly cycle: number; readonly name: string },
): void {
  assert(of.cycle >= 0 && of.name !== "", "Expected a cycle and a name")
  const key = closedKey(of.cycle, of.name)
  writes.put(tables.closed, key, packMarker(key))
}

export function isClosed(tables: Tables, cycle: number, batch: string): boolean {
  return tables.closed.doesExist(closedKey(cycle, batch))
}

/** The newest cycle with a closed batch; -1 if there is none. */
export function newestClosed(tables: Tables): number {
  const key = tables.closed.lastKey()
  return key === undefined ? -1 : keyToIndex(key)
}

/** Marks that one transaction removes: 10 ms of the shard's thread. */
const marksPerStep = 4_096

/** Removes marks of this cycle and of later ones, newest first; returns whether some are left. */
export function removeMarks(tables: Tables, fromCycle: number): boolean {
  const range = { end: indexKey(fromCycle), reverse: true, limit: marksPerStep }
  const keys = Array.from(tables.closed.getKeys(range), (key) => Buffer.from(key))
  tables.root.transactionSync(() => {
    for (const key of keys) {
      assert(keyToIndex(key) >= fromCycle, "Expected a mark of a cycle that is reopened")
      tables.closed.remove(key)
    }
  })
  return keys.length === marksPerStep
}

function closedKey(cycle: number, batch: string): Buffer {
  const key = Buffer.concat([indexKey(cycle), textKey(batch)])
  assert(key.length <= closingKeyBytesMax, "Expected a shorter name of a batch")
  return key
}

export function stateKey(kind: string, key: Uint8Array): Buffer {
  const name = textKey(kind)
  assert(!name.includes(0), "Expected a kind without NUL")
  assert(name.length + 1 + key.length <= closingKeyBytesMax, "Expected a shorter key of a state")
  return Buffer.concat([name, separator, key])
}

function contentOf(key: Buffer, bytes: Uint8Array): Uint8Array {
  const reader = openRecord(key, bytes)
  return Uint8Array.from(reader.take(reader.end - reader.position))
}
