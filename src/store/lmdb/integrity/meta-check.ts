/** Meta check: what may stand in `meta`, and whether it can be read. */

import { CorruptError } from "../../../codec/corrupt.ts"
import { toVersion, versionKey } from "../disk/format-version.ts"
import { horizonsKey, unpackHorizons } from "../disk/retention-watermarks.ts"
import { LostDays, lostDaysKey } from "../metadata/incomplete-days.ts"
import { retentionCheckKey } from "../compaction/retention.ts"
import { foldedKey, publishedKey, readSequence } from "../disk/tables.ts"

/** Throws CorruptError where an entry has no name of ours, or a value that cannot be. */
export function checkMeta(key: Buffer, value: Buffer): void {
  if (key.equals(foldedKey) || key.equals(publishedKey)) readSequence(key, value)
  else if (key.equals(horizonsKey)) unpackHorizons(value)
  else if (key.equals(lostDaysKey)) new LostDays(value)
  else if (key.equals(versionKey)) toVersion(value)
  else if (!key.equals(retentionCheckKey))
    throw new CorruptError(`unknown entry "${key.toString("utf8")}"`)
}
