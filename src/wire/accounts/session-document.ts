/** Login sessions as the API shows them (spec/accounts §5), and the body that opens one. */

import * as v from "valibot"
import { flag, record, text, wholeNumber, type Written } from "../answer.ts"
import { booleanValue, objectValue } from "../body.ts"
import { readRecord } from "../records/fields.ts"

export interface SessionView {
  readonly id: string
  readonly createdMs: number
  readonly lastUsedMs: number
  readonly idleMs: number
  readonly endsMs: number
  readonly userAgent: string
  readonly address: string
}

export const sessionRecord = record({
  id: text,
  created: wholeNumber,
  lastUsed: wholeNumber,
  idleExpires: wholeNumber,
  expires: wholeNumber,
  userAgent: text,
  address: text,
  isCurrent: flag,
})

/** `currentId` is the id of the session of the request; null without one. */
export function sessionDocument(
  session: SessionView,
  currentId: string | null,
): Written<typeof sessionRecord> {
  const { id, createdMs, lastUsedMs, idleMs, endsMs, userAgent, address } = session
  return {
    id,
    created: createdMs,
    lastUsed: lastUsedMs,
    idleExpires: Math.min(lastUsedMs + idleMs, endsMs),
    expires: endsMs,
    userAgent,
    address,
    isCurrent: id === currentId,
  }
}

/** E-mail and password, or the token of a sign-in link. */
export const sessionBody = objectValue({
  email: v.nullish(v.string()),
  password: v.nullish(v.string()),
  remember: v.nullish(booleanValue, false),
  link: v.nullish(v.string()),
})

export type SessionBody = v.InferOutput<typeof sessionBody>

/** Reads the body of a sign-in. Throws `invalid`. */
export function readSessionBody(raw: unknown): SessionBody {
  return readRecord(sessionBody, raw ?? {})
}
