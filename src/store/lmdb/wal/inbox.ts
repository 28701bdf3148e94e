/** Inbox: frames that did not go to the journal, or were moved here from a damaged one. */

import { CorruptError } from "../../../codec/corrupt.ts"
import type { StoreOptions } from "../../store.ts"
import { bytesToFrame, type Frame } from "../encoding/batch-record.ts"
import { keyToSequence, sequenceKey, type Tables } from "../disk/tables.ts"

export interface InboxFrame {
  readonly sequence: number
  /** Null where it is damaged. */
  readonly frame: Frame | null
}

/**
 * The frames that an earlier process left, in order of their keys. A damaged one is told and
 * removed; one that stands under another number than its own is told and put back in its place.
 */
export function recoverInbox(tables: Tables, warn: StoreOptions["warn"]): InboxFrame[] {
  const found: InboxFrame[] = []
  const strays: { key: Buffer; frame: Frame | null }[] = []
  for (const { key, value } of tables.inbox.getRange({})) {
    const { reason, ...one } = readInboxFrame(key, value)
    found.push(one)
    if (reason === null) continue
    strays.push({ key: Buffer.from(key), frame: one.frame })
    const told = one.frame === null ? "damaged inbox frame was cut" : "inbox frame was put back"
    warn({ sequence: one.sequence, bytes: value.length, reason }, told)
  }
  if (strays.length > 0) settle(tables, strays)
  return found
}

/** The frame under a key, with the number that it was written under, and what is wrong, or null. */
export function readInboxFrame(
  key: Buffer,
  value: Uint8Array,
): InboxFrame & { readonly reason: string | null } {
  const sequence = keyToSequence(key)
  try {
    const frame = bytesToFrame(value)
    if (frame.sequence === 0 || frame.sequence === sequence) {
      return { sequence, frame, reason: null }
    }
    return { sequence: frame.sequence, frame, reason: `frame stood under number ${sequence}` }
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error
    return { sequence, frame: null, reason: error.message }
  }
}

function settle(
  { root, inbox }: Tables,
  strays: readonly { readonly key: Buffer; readonly frame: Frame | null }[],
): void {
  root.transactionSync(() => {
    for (const { key } of strays) inbox.remove(key)
    for (const { frame } of strays) {
      if (frame !== null) inbox.put(sequenceKey(frame.sequence), frame.bytes as Buffer)
    }
  })
}
