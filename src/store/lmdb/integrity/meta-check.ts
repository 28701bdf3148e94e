/** Meta check: what may stand in `meta`, and whether it can be read. */

import { CorruptError } from "../../../codec/corrupt-error.ts"
import { parseVersion, versionKey } from "../disk/format-version.ts"
import { watermarksKey, unpackWatermarks } from "../disk/retention-watermarks.ts"
import { IncompleteDays, incompleteDaysKey } from "../metadata/incomplete-days.ts"
import { retentionCheckKey } from "../compaction/retention.ts"
import { flushedKey, indexFlushedKey, readSequence } from "../disk/tables.ts"

/** Throws CorruptError where an entry has no name of ours, or a value that cannot be. */
export function checkMeta(key: Buffer, value: Buffer): void {
  if (key.equals(flushedKey) || key.equals(indexFlushedKey)) readSequence(key, value)
  else if (key.equals(watermarksKey)) unpackWatermarks(value)
  else if (key.equals(incompleteDaysKey)) new IncompleteDays(value)
  else if (key.equals(versionKey)) parseVersion(value)
  else if (!key.equals(retentionCheckKey))
    throw new CorruptError(`unknown entry "${key.toString("utf8")}"`)
}
