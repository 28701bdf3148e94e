/**
 * Incomplete days: days of blocks of which `repair` recovered only a part. The rest is kept and
 * served, but its rollups no longer agree with each other, and `verify` does not expect them to.
 */

import { assert } from "../../../base/assert.ts"
import { packDocument, unpackDocument } from "../disk/record.ts"
import type { DayOfBlock } from "../tiers/compacted-cells.ts"
import { textKey, type Tables } from "../disk/tables.ts"

/** In `meta`: the list of "day block" texts. */
export const incompleteDaysKey = textKey("lostDays")

export class IncompleteDays {
  private readonly names: Set<string>

  /** `bytes`: the value in `meta`. Throws CorruptError. */
  constructor(bytes: Uint8Array | undefined) {
    this.names = new Set(
      bytes === undefined ? [] : (unpackDocument(incompleteDaysKey, bytes) as string[]),
    )
  }

  has(where: DayOfBlock): boolean {
    return this.names.size > 0 && this.names.has(nameOf(where))
  }

  add(tables: Tables, where: DayOfBlock): void {
    assert(where.day >= 0 && where.block >= 0, "Expected a day and a block")
    this.names.add(nameOf(where))
    tables.meta.putSync(incompleteDaysKey, packDocument(incompleteDaysKey, [...this.names]))
  }
}

function nameOf({ day, block }: DayOfBlock): string {
  return `${day} ${block}`
}
