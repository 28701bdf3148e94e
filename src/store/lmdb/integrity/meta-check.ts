/** Meta check: verifies that an entry of `meta` is known and can be decoded. */

import { CorruptError } from "../../../codec/corrupt-error.ts"
import { earlierCountersKey, unpackEarlierCounters } from "../disk/earlier-counters.ts"
import { parseVersion, versionKey } from "../disk/format-version.ts"
import { watermarksKey, unpackWatermarks } from "../disk/retention-watermarks.ts"
import { IncompleteDays, incompleteDaysKey } from "../metadata/incomplete-days.ts"
import { retentionCheckKey } from "../compaction/retention.ts"
import { storedNumbersKey, unpackNumbers } from "../metadata/stored-numbers.ts"
import { flushedKey, indexFlushedKey, readSequence } from "../disk/tables.ts"

/** Throws CorruptError if the entry has an unknown name or an invalid value. */
export function checkMeta(key: Buffer, value: Buffer): void {
  if (key.equals(flushedKey) || key.equals(indexFlushedKey)) readSequence(key, value)
  else if (key.equals(watermarksKey)) unpackWatermarks(value)
  else if (key.equals(incompleteDaysKey)) new IncompleteDays(value)
  else if (key.equals(earlierCountersKey)) unpackEarlierCounters(value)
  else if (key.equals(versionKey)) parseVersion(value)
  else if (key.equals(storedNumbersKey)) unpackNumbers(value)
  else if (!key.equals(retentionCheckKey))
    throw new CorruptError(`unknown entry "${key.toString("utf8")}"`)
}
