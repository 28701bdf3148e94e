/** API keys as the API shows them (spec/accounts §7), and the bodies that make and change one. */

import * as v from "valibot"
import { keyRateMax } from "../../base/limits/accounts.ts"
import { formatInstant } from "../../base/iso8601.ts"
import { described, flag, instant, orNull, record, text, wholeNumber } from "../answer.ts"
import type { Written } from "../answer.ts"
import { booleanValue, objectValue, wholeNumberIn } from "../body.ts"
import { readRecord, shortText } from "../records/fields.ts"

export interface KeyView {
  readonly id: string
  readonly datasourceId: number
  readonly enabled: boolean
  readonly createdMs: number
  readonly name?: string
  readonly payloadsPerMinute?: number
  readonly samplesPerMinute?: number
  readonly endsMs?: number
}

const rate = described(orNull(wholeNumber), "0 is no limit; null is the server's setting")

export const keyRecord = record({
  id: described(text, "SHA-256 of the key, which is shown once only"),
  name: orNull(text),
  datasourceId: wholeNumber,
  enabled: flag,
  payloadsPerMinute: rate,
  samplesPerMinute: rate,
  created: instant,
  lastUsed: described(orNull(instant), "Null if it was never used"),
  ends: described(orNull(instant), "When it is refused, since a newer key has replaced it"),
})

export function keyDocument(key: KeyView, lastUsedMs: number | null): Written<typeof keyRecord> {
  const { id, name = null, datasourceId, enabled, createdMs, endsMs } = key
  const { payloadsPerMinute = null, samplesPerMinute = null } = key
  return {
    id,
    name,
    datasourceId,
    enabled,
    payloadsPerMinute,
    samplesPerMinute,
    created: formatInstant(createdMs),
    lastUsed: lastUsedMs === null ? null : formatInstant(lastUsedMs),
    ends: endsMs === undefined ? null : formatInstant(endsMs),
  }
}

const rateValue = v.optional(v.nullable(wholeNumberIn(0, keyRateMax)))
const nameValue = v.optional(v.pipe(shortText, v.trim()))
const idMax = 999_999_999_999_999

const changeable = {
  name: nameValue,
  payloadsPerMinute: rateValue,
  samplesPerMinute: rateValue,
}

export const newKeyBody = objectValue({
  key: objectValue({ ...changeable, datasourceId: v.optional(wholeNumberIn(0, idMax)) }),
})
export const changedKeyBody = objectValue({
  key: objectValue({ ...changeable, enabled: v.optional(booleanValue) }, [
    "id",
    "datasourceId",
    "created",
    "lastUsed",
    "ends",
  ]),
})

export const madeKeyAnswer = record({
  key: keyRecord,
  apiKey: described(text, "The key itself, for the only time"),
})

/** Throws `invalid`. */
export function readNewKey(raw: unknown): v.InferOutput<typeof newKeyBody>["key"] {
  return readRecord(newKeyBody, raw).key
}

/** Throws `invalid`. */
export function readChangedKey(raw: unknown): v.InferOutput<typeof changedKeyBody>["key"] {
  return readRecord(changedKeyBody, raw).key
}
