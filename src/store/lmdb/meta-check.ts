/** Meta check: what may stand in `meta`, and whether it can be read. */

import { CorruptError } from "../../codec/corrupt.ts"
import { toVersion, versionKey } from "./format-version.ts"
import { horizonsKey, unpackHorizons } from "./horizons.ts"
import { LostDays, lostDaysKey } from "./lost-days.ts"
import { lookKey } from "./retention.ts"
import { foldedKey, publishedKey, readSequence } from "./tables.ts"

/** Throws CorruptError where an entry has no name of ours, or a value that cannot be. */
export function checkMeta(key: Buffer, value: Buffer): void {
  if (key.equals(foldedKey) || key.equals(publishedKey)) readSequence(key, value)
  else if (key.equals(horizonsKey)) unpackHorizons(value)
  else if (key.equals(lostDaysKey)) new LostDays(value)
  else if (key.equals(versionKey)) toVersion(value)
  else if (!key.equals(lookKey)) throw new CorruptError(`unknown entry "${key.toString("utf8")}"`)
}
