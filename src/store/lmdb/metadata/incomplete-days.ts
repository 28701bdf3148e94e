/**
 * Lost days: the days of blocks of which `repair` found a part only. What is left of them is kept
 * and answered from, but does not fit together any more, so nobody shall expect that of it.
 */

import { packDocument, unpackDocument } from "../disk/record.ts"
import type { DayOfBlock } from "../tiers/compacted-cells.ts"
import { textKey, type Tables } from "../disk/tables.ts"

/** In `meta`: a record of day and block, again and again. */
export const incompleteDaysKey = textKey("lostDays")

export class IncompleteDays {
  private readonly names: Set<string>

  /** `bytes` as they stand in `meta`. Throws CorruptError. */
  constructor(bytes: Uint8Array | undefined) {
    this.names = new Set(
      bytes === undefined ? [] : (unpackDocument(incompleteDaysKey, bytes) as string[]),
    )
  }

  has(where: DayOfBlock): boolean {
    return this.names.size > 0 && this.names.has(nameOf(where))
  }

  add(tables: Tables, where: DayOfBlock): void {
    this.names.add(nameOf(where))
    tables.meta.putSync(incompleteDaysKey, packDocument(incompleteDaysKey, [...this.names]))
  }
}

function nameOf({ day, block }: DayOfBlock): string {
  return `${day} ${block}`
}
