/**
 * Recovery: what was acknowledged, and is neither folded nor published, is taken back at the start.
 *
 *   journal ─┬─ sections of names, in order ─► catalogue ─┐
 *            └─ frames ─┐                                 ├─► one transaction: nothing waits to be
 *   inbox ───── frames ─┴─► those of known series ────────┘   published when the store is open
 *
 * Where anything was damaged, numbers of series that only the damaged part knew are given anew by
 * what comes next. So no byte may stay behind that speaks of them as they were: what is good goes
 * to the inbox in that same transaction, and the journal's files go, before a number is given.
 */

import type { Catalogue } from "../../../catalogue/catalogue.ts"
import type { StoreOptions } from "../../store.ts"
import type { Frame } from "../encoding/batch-record.ts"
import { recoverInbox } from "./inbox.ts"
import type { Journal, JournalRecord } from "./wal.ts"
import { syncPath } from "../disk/wal-file-system.ts"
import { keepKnown } from "./known-series.ts"
import type { HeldFrame } from "./memtable.ts"
import { decodeNames } from "./series-record.ts"
import type { Publishing } from "./index-flush.ts"
import { readFolded, readPublished, sequenceKey, type Tables } from "../disk/tables.ts"

export interface RecoveryParts {
  readonly folder: string
  readonly tables: Tables
  /** As LMDB has it. */
  readonly catalogue: Catalogue
  readonly publishing: Publishing
  readonly journal: Journal
  readonly warn: StoreOptions["warn"]
  readonly point: (name: string) => void
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
}

export interface Recovered {
  /** In order of their numbers. */
  readonly frames: readonly HeldFrame[]
  /** No number up to this one is given again. */
  readonly greatestSequence: number
  /** Damaged records and frames, and good ones of which names or samples were left out. */
  readonly cutFrames: number
}

/** Does it once, before the first append. Throws what the disk threw, and CorruptError. */
export function recover(parts: RecoveryParts): Recovered {
  const { tables, journal, publishing } = parts
  const folded = readFolded(tables)
  const published = readPublished(tables)
  const { records, cuts } = journal.recover(folded)
  for (const cut of cuts) parts.warn({ ...cut }, "damaged journal record was cut")
  const inbox = recoverInbox(tables, parts.warn)
  // Not twice: what stands in both was moved by a start that came no further.
  const inInbox = new Set(inbox.map(({ sequence }) => sequence))
  const left = records.filter(({ sequence }) => !inInbox.has(sequence))
  const hurt = recoverNames(parts, left, published)
  const held = heldOf(left, inbox)
  const frames = held.map((one) => ({ ...one, frame: knownPart(parts, one, hurt) }))
  const numbers = [...inInbox].reduce((most, each) => Math.max(most, each), 0)
  const greatestSequence = Math.max(folded, published, journal.greatestSequence, numbers)
  const isDamaged = cuts.length > 0 || hurt.size > 0
  const kept = isDamaged ? frames.map((one) => ({ ...one, isInInbox: true })) : frames
  if (isDamaged || publishing.isPending) settle(parts, isDamaged ? kept : null, greatestSequence)
  const damagedInbox = inbox.filter(({ frame }) => frame === null).length
  return {
    frames: kept,
    greatestSequence,
    cutFrames: cuts.length + damagedInbox + hurt.size,
  }
}

/** Takes the sections that LMDB lacks into the catalogue; the records that had to be refused. */
function recoverNames(
  { publishing, warn, elapsedMs }: RecoveryParts,
  records: readonly JournalRecord[],
  published: number,
): Set<number> {
  const refused = new Set<number>()
  for (const { sequence, names } of records) {
    if (names === null || sequence <= published) continue
    if (publishing.recover(decodeNames(sequence, names), elapsedMs())) continue
    refused.add(sequence)
    warn({ sequence }, "names in the journal were left out: those before them are damaged")
  }
  return refused
}

function heldOf(
  records: readonly JournalRecord[],
  inbox: readonly { readonly sequence: number; readonly frame: Frame | null }[],
): HeldFrame[] {
  const held: HeldFrame[] = records.map(({ sequence, frame }) => {
    return { sequence, frame, isInInbox: false }
  })
  for (const { sequence, frame } of inbox) {
    if (frame !== null) held.push({ sequence, frame, isInInbox: true })
  }
  return held.sort((left, right) => left.sequence - right.sequence)
}

/** The frame without samples whose names were lost: their numbers are given to others now. */
function knownPart(
  { catalogue, warn }: RecoveryParts,
  { sequence, frame }: HeldFrame,
  hurt: Set<number>,
): Frame {
  const { seriesCount } = catalogue
  const known = keepKnown(frame, sequence, (series) => series < seriesCount)
  if (known === frame) return frame
  hurt.add(sequence)
  const samples = frame.count - known.count
  warn({ sequence, samples }, "samples whose names were damaged were left out")
  return known
}

/** Publishes; where anything is moved to the inbox, the journal ends up empty. */
function settle(
  { folder, tables, publishing, journal, point }: RecoveryParts,
  moved: readonly HeldFrame[] | null,
  sequence: number,
): void {
  point("recovery.commit")
  tables.root.transactionSync(() => {
    publishing.put(sequence)
    for (const { sequence: number, frame } of moved ?? []) {
      tables.inbox.put(sequenceKey(number), frame.bytes as Buffer)
    }
  })
  publishing.notePublished()
  point("recovery.committed")
  if (moved === null) return
  journal.removeRecovered()
  syncPath(folder)
}
